import { makeBoard } from '../../../targets/board/board.ts'
import type { BoardRun } from '../../../targets/runs/board-run.ts'
import { ADAPTER_DEFAULTS } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { RunFailure } from '../../../targets/record/record.ts'
import { type HelmRunSpec, NO_AUGMENTATION } from '../../../tools/helm/forms/run-spec.ts'
import type { InstanceView } from '../../../tools/site/pages/run/instances/instance-view.ts'
import { runFacts, type PageSource } from '../../../tools/site/content/run-facts.ts'
import type { SiteRun, SiteSuite } from '../../../tools/site/site.ts'
import { boardRunOf } from '../../targets/aggregate/board-runs.ts'

/** Everything that a text could try to do to a page. */
export const HOSTILE =
  '</pre></script><script>window.hacked = true</script><img src="https://evil.example/x.png" onerror="window.hacked = true">' +
  ' \u202Eright to left\u2066 zero\u200Bwidth nul\u0000 \uD83D lone &lt;b&gt; %s ${x} `'

export const SECRET = 'patient Jane Roe, born 1970'

const spec = (name: string): HelmRunSpec => ({
  name,
  scenarioSpec: { className: 'helm.Scenario', args: new Map([['path', HOSTILE]]) },
  adapterSpec: { ...ADAPTER_DEFAULTS, method: 'generation', instructions: HOSTILE },
  metricSpecs: [],
  dataAugmenterSpec: NO_AUGMENTATION,
  groups: ['bench'],
})

const instanceOf = (index: number, text: string): InstanceView<string> => ({
  id: index === 1 ? HOSTILE : `id${index}`,
  trial: 0,
  split: 'test',
  prompt: text,
  references: [
    { text: 'the right one', correct: true },
    { text: HOSTILE, correct: false },
  ],
  completions: [HOSTILE],
  mapped: 'the right one',
  thinking: HOSTILE,
  judges: [{ name: HOSTILE, scores: [{ criterion: 'accuracy', score: '5', explanation: HOSTILE }] }],
  judgePrompt: HOSTILE,
  annotations: [{ name: 'note', json: JSON.stringify(HOSTILE) }],
  metrics: [
    ['exact_match', index % 2],
    ['num_bytes', 12],
  ],
})

/** A run of 45 instances, the first of which begins with a line of a megabyte. */
async function* instances(): AsyncGenerator<InstanceView<string>> {
  for (let index = 0; index < 45; index += 1)
    yield Promise.resolve(instanceOf(index, index === 0 ? 'lengthy '.repeat(130_000) : `Question ${index}`))
}

const failure: RunFailure = {
  instance: SECRET,
  trial: 0,
  stage: 'completions',
  code: 'models/refused',
  detail: SECRET,
  retriable: false,
}

export const siteRun = (
  run: BoardRun,
  source = 'digest',
  record: Partial<PageSource['record']> = {},
): SiteRun => {
  const { scenarioSpec, adapterSpec, metricSpecs, groups, annotators } = spec(run.name)
  const described: PageSource = {
    suite: 'demo',
    scenario: scenarioSpec,
    adapter: adapterSpec,
    metrics: metricSpecs,
    groups,
    ...(annotators && { annotators }),
    failures: run.failures.length > 0 ? [failure] : [],
    record: {
      target: `target of ${run.name}` as Digest<'target'>,
      rowsDigest: `rows of ${run.name}`,
      profile: 'helm-0.5.16',
      served: ['model-2026'],
      omitted: [],
      ...record,
    },
    usage: {
      calls: 4,
      unknown: 0,
      inputTokens: 1200,
      cachedInputTokens: 0,
      outputTokens: 30,
      reasoningTokens: 0,
      seconds: 2,
      judges: {},
    },
    source,
  }
  const facts = runFacts(described, run, { priceOf: () => ({ input: 1, output: 10 }) })
  return run.benchmark.access === 'public'
    ? { facts, instances, prompt: () => Promise.resolve(HOSTILE) }
    : { facts }
}

/** A suite of two models and two benchmarks, one of them private, with hostile names and texts. */
export const sketchSuite = (source?: string): SiteSuite => {
  const runs = [
    boardRunOf({ model: 'm/a', values: [1, 1, 0, 1] }),
    boardRunOf({ model: `m/b ${HOSTILE}`, values: [0, 0, 0, 1] }),
    boardRunOf({
      model: 'm/a',
      benchmark: 'private notes',
      access: 'private',
      values: [1, 0],
      evaluated: 3,
      failures: [failure],
    }),
    boardRunOf({
      model: `m/b ${HOSTILE}`,
      benchmark: 'private notes',
      access: 'private',
      values: [1, 1],
    }),
    boardRunOf({
      model: 'm/c',
      values: [0, 1],
      evaluated: 3,
      failures: [failure],
    }),
  ]
  return {
    board: makeBoard('demo', runs),
    values: runs.flatMap(({ name, benchmark, model: { deployment }, vector }) =>
      vector === undefined ? [] : [{ run: name, benchmark: benchmark.name, deployment, vector }],
    ),
    runs: runs.map((run) => siteRun(run, source)),
  }
}
