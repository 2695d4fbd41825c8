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
  readonly price?: Pick<Price, 'input' | 'output' | 'cachedInput' | 'date' | 'source'>
}

/** The models of a board, in its order; those that the registry does not know are left out. */
export const aboutModels = (
  { rows }: Board,
  registry: Pick<ModelRegistry, 'model'>,
  priceOf: (deployment: string) => ModelAbout['price'],
): readonly ModelAbout[] =>
  rows.flatMap(({ model: { name, deployment } }) => {
    const known = registry.model(name)
    if (known === undefined) return []
    const { description, releaseDate, numParameters } = known
    const price = priceOf(deployment)
    return [
      {
        deployment,
        description,
        ...(releaseDate === undefined ? {} : { releaseDate }),
        ...(numParameters === undefined ? {} : { numParameters }),
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
