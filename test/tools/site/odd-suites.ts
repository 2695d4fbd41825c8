import { boardPairs } from '../../../targets/board/board-pairs.ts'
import { boardUncertainty, withUncertainty } from '../../../targets/board/board-uncertainty.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { rankedTasks } from '../../../targets/board/board-tasks.ts'
import { withTaskSpending } from '../../../targets/board/board-cost.ts'
import type { BoardRun } from '../../../targets/runs/board-run.ts'
import type { SiteSuite } from '../../../tools/site/site.ts'
import { boardRunOf, type RunSketch } from '../../targets/aggregate/board-runs.ts'

const CATEGORIES = ['Clinical Decision Support', 'Clinical Note Generation'] as const

/** A suite as a report makes it of finished runs: with all tests, tasks and pairs. @param idOf an instance's, in a run */
export const suiteOfRuns = (
  name: string,
  sketches: readonly RunSketch[],
  idOf: (id: string, run: string) => string = (id) => id,
): SiteSuite => {
  const runs = sketches.map(boardRunOf).map((run): BoardRun => ({
    ...run,
    ...(run.vector && { vector: { ...run.vector, ids: run.vector.ids.map((id) => idOf(id, run.name)) } }),
    benchmark: {
      ...run.benchmark,
      displayName: `Benchmark ${run.benchmark.name}`,
      category: CATEGORIES[run.benchmark.name.charCodeAt(0) % 2] ?? '',
    },
  }))
  const values = runs.flatMap(({ name: run, benchmark, model: { deployment }, vector }) =>
    vector === undefined ? [] : [{ run, benchmark: benchmark.name, deployment, vector }],
  )
  const made = makeBoard(name, runs)
  const board = withUncertainty(made, boardUncertainty(made, values))
  return {
    board,
    values: values.filter(
      ({ benchmark }) =>
        !runs.some((run) => run.benchmark.name === benchmark && run.benchmark.access !== 'public'),
    ),
    runs: [],
    tasks: withTaskSpending(rankedTasks(board, values), board, [], new Map()),
    pairs: boardPairs(board, values),
  }
}

const MODELS = ['a/able', 'b/blunt', 'c/careful'] as const
const BENCHMARKS = ['b1', 'c2', 'd3'] as const

const draw = (seed: number, n: number, of: (share: number) => number): readonly number[] =>
  Array.from({ length: n }, (_, at) => of(((seed * 37 + at * 61) % 101) / 101))

/** Every model on every benchmark. */
const grid = (
  of: (model: number, benchmark: number) => Omit<RunSketch, 'model' | 'benchmark'>,
  {
    models = MODELS,
    benchmarks = BENCHMARKS,
  }: { readonly models?: readonly string[]; readonly benchmarks?: readonly string[] } = {},
): readonly RunSketch[] =>
  models.flatMap((model, row) =>
    benchmarks.map((benchmark, column) => ({ ...of(row, column), model, benchmark })),
  )

const binary = (model: number, benchmark: number): readonly number[] =>
  draw(model * 5 + benchmark, 30, (share) => Number(share < 0.4 + model / 6))

const OPEN = { isShare: false, isBinary: false } as const

/** Suites of shapes that no usual one has; every one of them somebody will make. */
export const ODD_SUITES: Readonly<Record<string, readonly RunSketch[]>> = {
  'one model': grid((model, benchmark) => ({ values: binary(model, benchmark) }), { models: ['a/able'] }),
  'one benchmark': grid((model, benchmark) => ({ values: binary(model, benchmark) }), { benchmarks: ['b1'] }),
  'one run': grid(() => ({ values: [1] }), { models: ['a/able'], benchmarks: ['b1'] }),
  'all restricted': grid((model, benchmark) => ({
    values: binary(model, benchmark),
    access: benchmark === 0 ? 'gated' : 'private',
  })),
  'all failed': grid(() => ({ values: [], evaluated: 30, causes: { 'provider-error': 30 } })),
  'ties everywhere': grid(() => ({ values: draw(1, 30, (share) => Number(share < 0.5)) })),
  'lower is better': grid((model, benchmark) => ({
    values: binary(model, benchmark).map((value) => 1 - value),
    lowerIsBetter: true,
  })),
  'open scales': grid((model, benchmark) => ({
    ...OPEN,
    values: draw(model + benchmark, 30, (share) => share * 200 - 40 + model * 30),
    lowerIsBetter: benchmark === 1,
  })),
  'values off their scale': grid((model, benchmark) => ({
    isBinary: false,
    values: draw(model + benchmark, 30, (share) => share * (benchmark === 0 ? 1.5 : 1)),
  })),
  'no direction': grid((model, benchmark) => ({
    values: binary(model, benchmark),
    lowerIsBetter: 'unknown',
  })),
  holes: grid((model, benchmark) => ({
    values: model === benchmark ? [1, 0] : binary(model, benchmark),
    evaluated: 30,
    causes: model === benchmark ? { refused: 28 } : {},
  })),
  'twelve benchmarks': grid((model, benchmark) => ({ values: binary(model, benchmark) }), {
    benchmarks: Array.from({ length: 12 }, (_, at) => `${'bc'[at % 2] ?? ''}${at}`),
  }),
  'long names': grid((model, benchmark) => ({ values: binary(model, benchmark) }), {
    models: ['قاموس_النموذج_', '医疗大语言模型_', '', ''].map(
      (own, at) => `an-organisation-of-a-long-name/${own}a-model-fine-tuned-on-letters-1${at}-instruct-int4`,
    ),
    benchmarks: ['b', 'c', 'd'].map((letter) => `${letter}_${'a_long_name_'.repeat(6)}`),
  }),
  // Above 60 the board draws only the rows in sight.
  'many models': grid((model, benchmark) => ({ values: binary(model % 7, benchmark + model) }), {
    models: Array.from({ length: 64 }, (_, at) => `maker/model-${at}`),
    benchmarks: ['b1', 'c2'],
  }),
}

const made = new Map<string, SiteSuite>()

/** One of them, made once. */
export const oddSuite = (name: string): SiteSuite => {
  const suite = made.get(name) ?? suiteOfRuns(name, ODD_SUITES[name] ?? [])
  made.set(name, suite)
  return suite
}
