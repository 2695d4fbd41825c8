import { wilson } from '../../targets/statistics/intervals/wilson.ts'
import { DEFAULT_COVERAGE_FLOOR } from '../../targets/board/board-cell.ts'
import type { BoardValues } from '../../targets/board/board-columns.ts'
import type { BoardBenchmark, BoardRun } from '../../targets/runs/board-run.ts'
import { makeBoard, type Board } from '../../targets/board/board.ts'
import { randomKey, RandomStream } from '../../targets/statistics/resampling/random-stream.ts'

export interface BoardSize {
  readonly models: number
  readonly benchmarks: number
}

const CATEGORIES = [
  ['Clinical Decision Support', ['Supporting Diagnostic Decisions', 'Planning Treatments']],
  ['Clinical Note Generation', ['Documenting Patient Visits', 'Documenting Care Plans']],
  ['Patient Communication and Education', ['Patient-Provider Messaging']],
  ['Medical Research Assistance', ['Conducting Literature Research', 'Managing Research Enrollment']],
  ['Administration and Workflow', ['Overseeing Financial Activities', 'Organizing Workflow Processes']],
] as const

const CREATORS = ['Northwind', 'Fabrikam', 'Contoso', 'Tailspin', 'Adatum', 'Litware'] as const
const WEIGHTS = ['open', 'limited', 'closed'] as const
const ACCESSES = ['public', 'gated', 'private'] as const
const SIZES = [30, 100, 250, 1000, 1273] as const

/** A board with random scores and everything else that a board can hold, the same at every call: for measurements. */
export const madeUpBoard = (size: BoardSize, change = (run: BoardRun): BoardRun => run): Board => {
  const random = new RandomStream(randomKey('made-up board'), 0)
  const board = makeBoard('made-up', madeUpRuns(size, random).map(change))
  return { ...board, rows: board.rows.map((row, index) => withDoubt(row, index, board, random)) }
}

/** The runs behind it. */
export const madeUpRuns = (
  { models, benchmarks }: BoardSize,
  random = new RandomStream(randomKey('made-up board'), 0),
): readonly BoardRun[] => {
  const columns = Array.from({ length: benchmarks }, (_, index) => benchmarkOf(index, benchmarks))
  const strengths = Array.from({ length: models }, () => 0.35 + random.below(1000) / 2500)
  return strengths.flatMap((strength, model) =>
    columns.map((benchmark, column) => runOf(benchmark, { model, column, strength }, random)),
  )
}

const at = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('there is nothing to choose from')
  return item
}

const isJudged = (column: number): boolean => column % 3 === 1

const benchmarkOf = (index: number, count: number): BoardBenchmark => {
  const [category, subcategories] = at(CATEGORIES, Math.floor((index * CATEGORIES.length) / count))
  const judged = isJudged(index)
  return {
    name: `benchmark_${index}`,
    displayName: `Benchmark ${index + 1}`,
    description: 'Made up.',
    access: at(ACCESSES, index),
    coverageFloor: DEFAULT_COVERAGE_FLOOR,
    category,
    subcategory: at(subcategories, Math.floor(index / 4)),
    mainMetric: {
      name: judged ? 'jury_score' : 'exact_match',
      split: 'test',
      displayName: judged ? 'Jury score' : 'EM',
      description: '',
      lowerIsBetter: false,
      isBinary: index % 3 === 0,
      range: judged ? { low: 1, high: 5 } : { low: 0, high: 1 },
    },
  }
}

/**
 * Values of every run, as many instances in each: right or wrong, judged in ninths, and shares with all their digits. For
 * what is reckoned of a board's instances; its scores are not their means.
 */
export const madeUpValues = ({ rows, benchmarks }: Board, instances: number): readonly BoardValues[] => {
  const random = new RandomStream(randomKey('made-up values'), 0)
  const ids = Array.from({ length: instances }, (_, index) => `id${index}`)
  const valueOf = (column: number, skill: number): number => {
    const share = Math.min(1, (random.below(1_000_000) / 1_000_000) * 2 * skill)
    if (isJudged(column)) return 1 + Math.round(share * 36) / 9
    return column % 3 === 0 ? Number(share > 0.5) : share
  }
  return benchmarks.flatMap((_, column) =>
    rows.flatMap(({ model, cells }, row) => {
      const values = Float64Array.from(ids, () => valueOf(column, 0.4 + row / rows.length / 2))
      return (cells[column]?.runs ?? []).map((run) => ({
        run,
        benchmark: benchmarks[column]?.name ?? '',
        deployment: model.deployment,
        vector: { ids, values },
      }))
    }),
  )
}

interface Place {
  readonly model: number
  readonly column: number
  readonly strength: number
}

const runOf = (
  benchmark: BoardBenchmark,
  { model, column, strength }: Place,
  random: RandomStream,
): BoardRun => {
  const n = at(SIZES, column)
  const share = Math.min(0.99, Math.max(0.01, strength + (random.below(400) - 200) / 1000))
  const ones = Math.round(share * n)
  const mean = isJudged(column) ? 1 + 4 * share : ones / n
  const measured = random.below(40) === 0 ? n - 1 - random.below(Math.ceil(n / 20)) : n
  const deployment = `maker-${model % CREATORS.length}/model-${model}-2026-01-${10 + (model % 20)}`
  const { name, split } = benchmark.mainMetric
  return {
    name: `${benchmark.name}:model=${deployment.replace('/', '_')}`,
    model: {
      name: deployment,
      deployment,
      displayName: `${at(CREATORS, model)} Model ${model + 1}`,
      creator: at(CREATORS, model),
      access: at(WEIGHTS, model),
    },
    benchmark,
    stats: [{ name: { name, split }, count: 1, sum: mean, min: mean, max: mean }],
    coverage: { evaluated: n, measured },
    causes: {},
    sample: {
      requests: measured,
      found: {
        n,
        measured: n,
        sources: n,
        mean,
        bounds: null,
        interval: wilson(isJudged(column) ? share * n : ones, n, 0.95),
        method: 'Wilson',
        reason: '',
      },
    },
    failures: [],
  }
}

const withDoubt = (
  row: Board['rows'][number],
  index: number,
  { rows }: Board,
  random: RandomStream,
): Board['rows'][number] => {
  const reach = 1 + random.below(8)
  const low = Math.max(1, index + 1 - reach)
  const winRate = row.winRate ?? 0
  const ranks = { low, high: Math.min(rows.length, index + 1 + reach) }
  return {
    ...row,
    rank: {
      winRate: { low: Math.max(0, winRate - 0.06), high: Math.min(1, winRate + 0.06) },
      winRateLikeThese: null,
      likeTheseReason: '',
      average: {
        likeTheseInterval: null,
        onThese: { marginal: ranks, simultaneous: ranks },
        likeThese: null,
        first: index < 4 ? 0.4 - index / 10 : 0,
      },
    },
    spent: {
      calls: 20_000,
      inputTokens: 200_000_000 + random.below(90_000_000),
      outputTokens: 3_000_000 + random.below(100_000_000),
      latency: 0.3 + random.below(4000) / 1000,
      usd: index % 7 === 3 ? null : 2 + random.below(200_000) / 100,
    },
    cells: row.cells.map((cell) => ({ ...cell, groups: 'abcdefghij'.slice(random.below(7)).slice(0, 3) })),
  }
}
