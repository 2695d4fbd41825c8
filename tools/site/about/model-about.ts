import { isLoopback, serverPlace } from '../../../models/agreement/data-agreement.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { Hosting } from './hosting.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import type { Price } from '../../../models/prices/price.ts'
import type { Board } from '../../../targets/board/board.ts'

/** What a page tells of a model besides its results. */
export interface ModelAbout {
  readonly deployment: string
  readonly description: string
  /** ISO date. */
  readonly releaseDate?: string
  readonly numParameters?: number
  /** Who serves it, and which texts may go there, as the deployment's files say; absent where they don't. */
  readonly hosting?: Hosting
  readonly price?: Pick<Price, 'input' | 'output' | 'cachedInput' | 'date' | 'source'>
}

const hostingOf = (deployment: ModelDeployment): Hosting => {
  const { className, args } = deployment.client
  const url = typeof args['base_url'] === 'string' ? serverPlace(args['base_url']) : undefined
  const isHere = url === undefined ? IN_PROCESS.test(className) : isLoopback(url.host)
  const level = deployment.agreement?.level ?? (isHere ? 'private' : 'none')
  if (isHere && level === 'private') return 'this machine'
  return level === 'none' ? 'public text only' : `${level} text agreed`
}

const IN_PROCESS = /^medmake\.(?:local|baseline)/

/** The models of a board, in its order; those that the registry does not know are left out. */
export const aboutModels = (
  { rows }: Board,
  registry: Pick<ModelRegistry, 'model' | 'deployment'>,
  priceOf: (deployment: string) => ModelAbout['price'],
): readonly ModelAbout[] =>
  rows.flatMap(({ model: { name, deployment } }) => {
    const known = registry.model(name)
    if (known === undefined) return []
    const { description, releaseDate, numParameters } = known
    const price = priceOf(deployment)
    const served = registry.deployment(deployment)
    return [
      {
        deployment,
        description,
        ...(releaseDate === undefined ? {} : { releaseDate }),
        ...(numParameters === undefined ? {} : { numParameters }),
        ...(served === undefined ? {} : { hosting: hostingOf(served) }),
        ...(price === undefined ? {} : { price: priceAbout(price) }),
      },
    ]
  })

/** Without the path of the file on this machine that declares it. */
const priceAbout = ({ input, output, cachedInput, date, source }: NonNullable<ModelAbout['price']>) => ({
  input,
  output,
  ...(cachedInput === undefined ? {} : { cachedInput }),
  date,
  source,
})
