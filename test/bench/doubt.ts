import { columnGroups } from '../../targets/board/board-uncertainty.ts'
import { alignVectors } from '../../targets/runs/aligned-vectors.ts'
import { ColumnTests } from '../../targets/compare/ranks/column-tests.ts'
import { rankModels } from '../../targets/compare/ranks/rank-models.ts'
import { meanInterval } from '../../targets/statistics/intervals/mean-interval.ts'
import { numbered } from './grid-files.ts'

const MODELS = 100
const INSTANCES = 1000

/** CPU seconds of a large board's statistics: a hundred models on forty benchmarks of a thousand instances. */
export const doubtSeconds = (): {
  readonly intervals: number
  readonly letters: number
  readonly places: number
} => {
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
  const tests = columns.map((column) => new ColumnTests(column))
  return {
    intervals: timed(() =>
      columns.map(({ strata: [run], ...metric }) =>
        run?.values.map((values) => values && meanInterval([{ values }], metric, 0.95)),
      ),
    ),
    letters: timed(() => tests.map((column) => columnGroups(column, scores, false))),
    places: timed(() => rankModels(models, columns, tests)),
  }
}

const valueOf = (at: number, model: number, column: number): number =>
  ((at * 7919 + model * 31 + column * 17) % 1000) / 500 + model / MODELS

const timed = (work: () => unknown): number => {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1e6
}
