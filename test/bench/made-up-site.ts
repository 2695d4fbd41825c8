import { wilson } from '../../targets/statistics/intervals/wilson.ts'
import { ADAPTER_DEFAULTS } from '../../benchmarks/scenario/adapter-spec.ts'
import type { BoardRun } from '../../targets/runs/board-run.ts'
import { makeBoard } from '../../targets/board/board.ts'
import type { InstanceView } from '../../tools/site/pages/run/instances/instance-view.ts'
import { runFacts } from '../../tools/site/content/run-facts.ts'
import type { SiteRun, SiteSuite } from '../../tools/site/site.ts'

export interface SiteSize {
  readonly models: number
  readonly benchmarks: number
  /** Of each run. */
  readonly instances: number
}

const METRICS = Array.from({ length: 40 }, (_, index) => `made_up_metric_number_${index}`)
const CRITERIA = ['accuracy', 'completeness', 'clarity'] as const
const JUDGES = ['judge_a', 'judge_b', 'judge_c'] as const
const SENTENCE =
  'The patient, 54 years old, reports <3 days of cough without fever; auscultation is clear and saturation 97 %. '

/** A suite of public runs whose texts are as long as MedHELM's usual ones: every third benchmark has a jury. */
export const madeUpSite = ({ models, benchmarks, instances }: SiteSize): SiteSuite => {
  const runs = Array.from({ length: benchmarks }, (_, benchmark) =>
    Array.from({ length: models }, (_, model) => runOf(benchmark, model, instances)),
  ).flat()
  return {
    board: makeBoard('made-up', runs),
    values: runs.map(({ name, benchmark, model: { deployment } }) => ({
      run: name,
      benchmark: benchmark.name,
      deployment,
      vector: {
        ids: Array.from({ length: instances }, (_, index) => `id${index}`),
        values: Float64Array.from({ length: instances }, (_, index) => scoreOf(deployment, index)),
      },
    })),
    runs: runs.map((run, index) => siteRun(run, Math.floor(index / models), instances)),
  }
}

const runOf = (benchmark: number, model: number, n: number): BoardRun => {
  const mean = 0.3 + ((benchmark * 7 + model * 3) % 50) / 100
  const name = `benchmark_${benchmark}`
  return {
    name: `${name}:model=maker_model-${model}`,
    model: {
      name: `maker/model-${model}`,
      deployment: `maker/model-${model}`,
      displayName: `Model ${model}`,
      creator: 'Maker',
      access: 'open',
    },
    benchmark: {
      name,
      displayName: `Benchmark ${benchmark}`,
      description: 'Made up.',
      access: 'public',
      coverageFloor: 0.99,
      mainMetric: {
        name: 'exact_match',
        split: 'test',
        displayName: 'EM',
        description: '',
        lowerIsBetter: false,
        isBinary: true,
        range: { low: 0, high: 1 },
      },
    },
    stats: [{ name: { name: 'exact_match', split: 'test' }, count: 1, sum: mean }],
    coverage: { evaluated: n, measured: n },
    causes: {},
    sample: {
      requests: n,
      found: {
        n,
        measured: n,
        sources: n,
        mean,
        bounds: null,
        interval: wilson(Math.round(mean * n), n, 0.95),
        method: 'Wilson',
        reason: '',
      },
    },
    failures: [],
  }
}

const siteRun = (run: BoardRun, benchmark: number, count: number): SiteRun => ({
  facts: runFacts(
    {
      suite: 'made-up',
      scenario: { className: 'medmake.MadeUp', args: new Map() },
      adapter: { ...ADAPTER_DEFAULTS, method: 'generation' },
      metrics: [],
      groups: [run.benchmark.name],
      failures: [],
      source: run.name,
    },
    run,
  ),
  instances: () => instancesOf(run, benchmark, count),
})

async function* instancesOf(
  { model }: BoardRun,
  benchmark: number,
  count: number,
): AsyncGenerator<InstanceView<string>> {
  const judged = benchmark % 3 === 0
  for (let index = 0; index < count; index += 1) {
    const score = scoreOf(model.name, index)
    const view: InstanceView<string> = {
      id: `id${index}`,
      trial: 0,
      split: 'test',
      prompt: `Question ${index}\n${SENTENCE.repeat(8 + (index % 5))}`,
      references: Array.from({ length: 4 }, (_, at) => ({
        text: `Choice ${at} of question ${index}`,
        correct: at === index % 4,
      })),
      completions: [judged ? SENTENCE.repeat(4) : 'B'],
      judges: judged ? JUDGES.map((name, judge) => ({ name, scores: scoresOf(index, judge) })) : [],
      annotations: [],
      metrics: [
        ['exact_match', score],
        ...METRICS.map((name, at) => [name, at % 2 === 0 ? at : index / (at + 1)] as const),
      ],
    }
    yield await Promise.resolve(view)
  }
}

const scoreOf = (model: string, index: number): number =>
  (index * 31 + model.length + Number(model.split('-')[1]) * 17) % 3 === 0 ? 1 : 0

const scoresOf = (index: number, judge: number): InstanceView<string>['judges'][number]['scores'] =>
  CRITERIA.map((criterion, at) => ({
    criterion,
    score: String(1 + ((index + judge * at) % 5)),
    explanation: SENTENCE,
  }))
