import { columnGroups } from '../../targets/board/board-groups.ts'
import { alignVectors } from '../../targets/runs/instance-vector.ts'
import { rankModels } from '../../targets/compare/rank-models.ts'
import { numbered } from './grid-files.ts'

const MODELS = 100
const INSTANCES = 1000

/** How long a large board's doubt takes: a hundred models on forty benchmarks of a thousand instances. */
export const doubtSeconds = (): { readonly letters: number; readonly places: number } => {
  const ids = Array.from({ length: INSTANCES }, (_, at) => `id${at}`)
  const models = numbered('m', MODELS)
  const columns = numbered('b', 40).map((benchmark, column) => ({
    benchmark,
    lowerIsBetter: false,
    isBinary: false,
    range: { low: 0, high: 3 },
    strata: [
      alignVectors(
        models.map((_, model) => ({
          ids,
          values: Float64Array.from(ids, (_id, at) => valueOf(at, model, column)),
        })),
      ),
    ],
  }))
  const scores = models.map((_, model) => model)
  return {
    letters: timed(() => columns.map((column) => columnGroups(column, scores, column))),
    places: timed(() => rankModels(models, columns)),
  }
}

const valueOf = (at: number, model: number, column: number): number =>
  ((at * 7919 + model * 31 + column * 17) % 1000) / 500 + model / MODELS

const timed = (work: () => unknown): number => {
  const started = performance.now()
  work()
  return (performance.now() - started) / 1000
}
