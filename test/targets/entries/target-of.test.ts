import { expect, test } from 'vitest'
import { createRegistry } from '../../../models/registry/registry.ts'
import { targetOf } from '../../../targets/entries/target-of.ts'
import { ehrSql } from '../../../targets/metrics/ehr-sql.ts'
import { metricObject } from '../../../targets/metrics/metric.ts'
import { summarization } from '../../../targets/metrics/summarization.ts'
import type { RunSpec } from '../../../targets/record/target.ts'
import { deploymentOf } from '../../rig/model-calls.ts'
import { madeUpDeployment, madeUpTarget, type MadeUpTarget } from '../../rig/made-up-run.ts'

const registry = createRegistry(
  [],
  [
    madeUpDeployment('m/a'),
    madeUpDeployment('j/one'),
    deploymentOf('medmake.chat', {}, { name: 'm/window', windowService: 'helm.Own' }),
    deploymentOf('helm.clients.unheard.OfClient', {}, { name: 'm/unheard' }),
  ],
)

const specOf = (made: Omit<MadeUpTarget, 'instances'> = {}): RunSpec =>
  madeUpTarget({ instances: [], ...made }).spec

const sql = metricObject(ehrSql)
const summary = metricObject(summarization, { task: 'summarization' })
const accuracy = { name: 'ehr_sql_execution_accuracy', split: 'test' }
const queries = {} as never

const codeOf = (spec: RunSpec, encoder?: { readonly model: string }): string | undefined => {
  try {
    targetOf(spec, registry, encoder)
    return undefined
  } catch (error) {
    return (error as { problems?: readonly { code: string }[] }).problems?.[0]?.code ?? String(error)
  }
}

test('A run names who is asked and who judges it', () => {
  const { deployment, judges } = targetOf(specOf({ judges: ['one'] }), registry, undefined)
  expect(deployment.name).toBe('m/a')
  expect(judges.map(({ judge, deployment: served }) => [judge.name, served.name])).toEqual([['one', 'j/one']])
})

test.each([
  ['a judge whom nobody serves', specOf({ judges: ['one', 'two'] }), 'models/unknown-judge'],
  ['a prompt that is cut otherwise', specOf({ model: 'm/window' }), 'models/window-service'],
  [
    'a main metric that none gives',
    specOf({ benchmark: { mainMetric: accuracy } }),
    'targets/unknown-main-metric',
  ],
  [
    'queries without a database',
    specOf({ benchmark: { metrics: [sql], mainMetric: accuracy } }),
    'targets/no-database',
  ],
  ['queries with one', specOf({ benchmark: { metrics: [sql], mainMetric: accuracy, queries } }), undefined],
  [
    'two answers to judge',
    specOf({ judges: ['one'], adapter: { numOutputs: 2 } }),
    'targets/several-outputs',
  ],
  ['one answer to judge', specOf({ judges: ['one'], adapter: { numOutputs: 1 } }), undefined],
  ['two answers and no judge', specOf({ adapter: { numOutputs: 2 } }), undefined],
  [
    'two queries at once',
    specOf({ benchmark: { queries }, adapter: { numOutputs: 2 } }),
    'targets/several-outputs',
  ],
  [
    'a choice, of which several outputs are the likeliest tokens',
    specOf({ judges: ['one'], adapter: { numOutputs: 2, method: 'multiple_choice_joint' } }),
    undefined,
  ],
])('A run with %s is refused or not before anything is asked', (_, spec, code) => {
  expect(codeOf(spec)).toBe(code)
})

test('A client that nobody wrote is refused of the model as of a judge', () => {
  expect(codeOf(specOf({ model: 'm/unheard' }))).toMatch(/^models\//)
  const judged = specOf({ judges: ['one'] })
  const [judge] = judged.benchmark.jury?.judges ?? []
  const jury = { ...judged.benchmark.jury, judges: [{ ...judge, deployment: 'm/unheard' }] }
  const other = { ...judged, benchmark: { ...judged.benchmark, jury } } as RunSpec
  expect(codeOf(other)).toMatch(/^models\//)
})

test('BERTScore is computed where an encoder is named, by metrics that have it, and a run ranked by it wants one', () => {
  const encoder = { model: 'e'.repeat(64) }
  const both = specOf({ benchmark: { metrics: [sql, summary], queries } })
  const named = {
    ...both,
    benchmark: { ...both.benchmark, mainMetric: { name: 'BERTScore-F', split: 'test' } },
  }
  expect(codeOf(named)).toBe('targets/no-encoder')
  expect(codeOf(named, encoder)).toBeUndefined()
  const { spec } = targetOf(named, registry, encoder)
  expect(spec.metrics.map((metric) => metric.bertScore)).toEqual([undefined, encoder])
})

test('A workspace’s metric may not give a value of a name that another, or medmake itself, gives', () => {
  const own = (measure: string, as = 'mine'): RunSpec['metrics'][number] => ({
    metric: as,
    helm: {
      className: `workspace.metrics.${as}`,
      args: new Map([['measures', [new Map([['name', measure]])]]]),
    },
  })
  const exact = specOf().metrics
  const using = (...metrics: RunSpec['metrics']): RunSpec => specOf({ benchmark: { metrics } })
  expect(codeOf(using(...exact, own('tone')))).toBeUndefined()
  expect(codeOf(using(...exact, own('exact_match')))).toBe('targets/measure-taken')
  expect(codeOf(using(...exact, own('jury_score_strict')))).toBe('targets/measure-taken')
  expect(codeOf(using(...exact, own('tone'), own('tone', 'other')))).toBe('targets/measure-taken')
})
