import { ProblemError } from '../../../cache/problems/problem.ts'
import { isLoopback } from '../../../cache/network/proxy.ts'
import { agreementAt, type Endpoint } from '../../../models/agreement/data-agreement.ts'
import { endpointOf } from '../../../models/clients/create-client.ts'
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

/** By the rule that the fence goes by; undefined for a client that cannot be opened. */
const hostingOf = (deployment: ModelDeployment): Hosting | undefined => {
  const endpoint = declaredEndpoint(deployment)
  if (endpoint === undefined) return undefined
  const level =
    endpoint.kind === 'nowhere' && deployment.agreement?.host !== undefined
      ? // The address is in somebody's credentials, and a reviewed file says whose it has to be.
        deployment.agreement.level
      : agreementAt(deployment, endpoint)
  const isHere = endpoint.kind === 'process' || (endpoint.kind === 'server' && isLoopback(endpoint.host))
  if (isHere && level === 'private') return 'this machine'
  return level === 'none' ? 'public text only' : `${level} text agreed`
}

/** Credentials differ from reader to reader; a page is the same for all. */
const declaredEndpoint = (deployment: ModelDeployment): Endpoint | undefined => {
  try {
    return endpointOf(deployment, { lookup: () => undefined })
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

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
    const hosting = served === undefined ? undefined : hostingOf(served)
    return [
      {
        deployment,
        // Where nobody describes a model the registry repeats its name.
        description: description === name ? '' : description,
        ...(releaseDate === undefined ? {} : { releaseDate }),
        ...(numParameters === undefined ? {} : { numParameters }),
        ...(hosting === undefined ? {} : { hosting }),
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
