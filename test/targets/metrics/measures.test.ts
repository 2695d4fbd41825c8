import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { float } from '../../../benchmarks/python/numbers/number.ts'
import { parseYaml } from '../../../cache/problems/yaml-document.ts'
import { StatsAggregator } from '../../../targets/metrics/scoring/aggregate-run.ts'
import { BUILT_IN, METRIC_IDS, metricOf, textMeasures } from '../../../targets/metrics/catalog.ts'
import type { Measure } from '../../../benchmarks/scenario/metric-code.ts'
import type { Metric, MetricPoint } from '../../../targets/metrics/metric.ts'
import { REFERENCE_MEASURES } from '../../../targets/metrics/scoring/reference-scores.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { shared } from '../../rig/shared.ts'
import { RandomStates } from './random-states.ts'
import { adapter, completion, metricSpec } from './sample-state.ts'

const STATES = 300

const ARGUMENTS = {
  names: REFERENCE_MEASURES.map(({ name }) => name),
  metric_name: '<metric_name>',
  scenario_name: 'demo',
  annotator_models: new Map([
    ['gpt', null],
    ['claude', null],
  ]),
  default_score: float(1),
}

const evaluate = (metric: Metric, state: RequestState): readonly MetricPoint[] =>
  metric.evaluate(state, metricSpec(metric.id, ARGUMENTS), adapter())

const statesFor = (name: string): readonly RequestState[] => {
  const random = new RandomStates(name)
  return Array.from({ length: STATES }, (_, id) => random.state(id))
}

const inRange = (value: number, { least, most }: Measure): boolean =>
  value >= (least ?? -Infinity) && value <= (most ?? Infinity)

/** An answer that is the first reference to the letter, whatever else was there. */
const answeredWithGold = (state: RequestState): RequestState => {
  const [reference] = state.instance.references
  const answer = completion(reference?.text ?? '')
  return state.result === undefined ? state : { ...state, result: { ...state.result, completions: [answer] } }
}

/** Numbers of health_bench bear the names of its data's tags: test/targets/metrics/health-bench.test.ts. */
const FIXED = METRIC_IDS.filter((id) => id !== 'health_bench')

describe.each(FIXED)('%s', (id) => {
  it('has a semantic version, a source, and names that no other of its numbers has', async () => {
    const { version, source, measures } = metricOf(id)
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(source).toMatch(/^(crfm-helm|medhelm) \d+\.\d+\.\d+ \w+$/)
    expect(new Set(measures.map(({ name }) => name)).size).toBe(measures.length)
  })

  it('gives numbers that it describes, within their ranges, each time the same', async () => {
    const metric = metricOf(id)
    const measures = new Map(metric.measures.map((measure) => [measure.name, measure]))
    const given = new Set<string>()
    for (const state of statesFor(id)) {
      const points = evaluate(metric, state)
      expect(evaluate(metric, state)).toEqual(points)
      for (const { name, value } of points) {
        const measure = measures.get(name)
        expect(measure?.of, name).toBe('instance')
        given.add(name)
        if (measure !== undefined && value !== null)
          expect(inRange(value, measure), `${name} ${value}`).toBe(true)
      }
    }
    const expected = metric.measures.filter(({ of, needs }) => of === 'instance' && needs === undefined)
    expect([...given].toSorted()).toEqual(expected.map(({ name }) => name).toSorted())
  })

  it('gives splits numbers that it describes, within their ranges', async () => {
    const metric = metricOf(id)
    const run = new StatsAggregator([id].map(metricOf))
    for (const state of statesFor(`${id} splits`)) run.add(state, [evaluate(metric, state)])
    const measures = new Map(metric.measures.map((measure) => [measure.name, measure]))
    for (const { name, mean } of run.result().stats) {
      const measure = measures.get(name.name)
      expect(measure, name.name).toBeDefined()
      if (measure !== undefined && mean !== undefined)
        expect(inRange(mean, measure), `${name.name} ${mean}`).toBe(true)
    }
    const found = new Set(run.result().stats.map(({ name }) => name.name))
    const expected = metric.measures.filter(({ of }) => of === 'split').map(({ name }) => name)
    expect(expected.filter((name) => !found.has(name))).toEqual([])
  })

  it('is described for readers, one measure unlike the other', () => {
    const { measures } = metricOf(id)
    for (const { displayName, description } of measures) {
      expect(displayName).toMatch(/^[A-Z]/)
      expect(description).toMatch(/^[A-Z].*\.$/)
    }
    expect(new Set(measures.map(({ displayName }) => displayName)).size).toBe(measures.length)
  })
})

it('is in the catalog wherever a file describes one', () => {
  const folder = new URL('../../../targets/metrics/', import.meta.url)
  const described = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /export const \w+: BuiltInMetric = /.test(readFileSync(new URL(name, folder), 'utf8')))
  expect(described).toHaveLength(BUILT_IN.length)
})

interface HelmSchema {
  readonly metrics: readonly { readonly name: string; readonly lower_is_better?: boolean }[]
}

it.skipIf(shared('golden') === undefined)('calls that direction better that HELM’s own schemas do', () => {
  const ours = new Map(BUILT_IN.flatMap(({ measures }) => measures).map((each) => [each.name, each.better]))
  const theirs = ['0.5.16', '0.8.0'].flatMap((version) => {
    const file = shared(`golden/official-inputs/schema_medhelm-${version}.yaml`) ?? ''
    return (parseYaml(readFileSync(file, 'utf8'), file, { room: 'test' }).value as HelmSchema).metrics
  })
  const both = theirs.filter(({ name, lower_is_better: lower }) => ours.has(name) && lower !== undefined)
  expect(both.length).toBeGreaterThan(20)
  // A slope and an intercept say nothing of quality.
  const others = both.filter(
    ({ name, lower_is_better: lower }) => ours.get(name) !== (lower === true ? 'lower' : 'higher'),
  )
  expect([...new Set(others.map(({ name }) => [name, ours.get(name)].join(' ')))]).toEqual([
    'platt_coef neither',
    'platt_intercept neither',
  ])
})

describe('scores against references', () => {
  it('do not depend on the order of the references', async () => {
    const metric = metricOf('basic_generation')
    for (const state of statesFor('order')) {
      const { instance } = state
      const turned = { ...state, instance: { ...instance, references: instance.references.toReversed() } }
      const plain = (points: readonly MetricPoint[]) => points.map(({ name, value }) => [name, value])
      expect(plain(evaluate(metric, turned))).toEqual(plain(evaluate(metric, state)))
    }
  })

  it('are not lowered by one more right reference', async () => {
    const metric = metricOf('basic_generation')
    const names = new Set(ARGUMENTS.names)
    for (const state of statesFor('one more')) {
      const more = [...state.instance.references, { text: 'fever', tags: ['correct'] }]
      const richer = evaluate(metric, { ...state, instance: { ...state.instance, references: more } })
      for (const [index, { name, value }] of evaluate(metric, state).entries())
        if (names.has(name)) expect(richer[index]?.value ?? NaN, name).toBeGreaterThanOrEqual(value ?? NaN)
    }
  })

  it('are full for the right answer itself where it holds a word', async () => {
    const metric = metricOf('basic_generation')
    // Words of letters that no normalisation takes away.
    const states = statesFor('identity').filter(({ instance }) =>
      /patient|fever/.test(instance.references[0]?.text ?? ''),
    )
    expect(states.length).toBeGreaterThan(50)
    const full = new Set([
      'exact_match',
      'quasi_exact_match',
      'prefix_exact_match',
      'f1_score',
      'rouge_1',
      'rouge_l',
    ])
    for (const state of states)
      for (const { name, value } of evaluate(metric, answeredWithGold(state)))
        if (full.has(name))
          expect(value, `${name} of ${state.instance.references[0]?.text}`).toBeCloseTo(1, 12)
  })

  it('of a summary are those of its text: braces around it do not count', async () => {
    const metric = metricOf('summarization')
    for (const state of statesFor('braces')) {
      const same = answeredWithGold(state)
      const rouge = evaluate(metric, same).find(({ name }) => name === 'rouge_1')?.value ?? NaN
      const text = state.instance.references[0]?.text ?? ''
      if (/[a-z0-9]/i.test(text)) expect(rouge, text).toBe(1)
    }
  })
})

describe('a jury', () => {
  it('scores the same in whatever order its judges stand', async () => {
    const metric = metricOf('llm_jury')
    for (const state of statesFor('judges')) {
      const demo = state.annotations?.get('demo')
      if (!(demo instanceof Map)) throw new TypeError('no annotation was drawn')
      const turned = new Map<string, PyValue>([
        ...(state.annotations ?? []),
        ['demo', new Map<string, PyValue>([...demo].toReversed())],
      ])
      const [one] = evaluate(metric, state)
      const [other] = evaluate(metric, { ...state, annotations: turned })
      expect(other?.value ?? NaN).toBeCloseTo(one?.value ?? NaN, 12)
    }
  })
})

it('holds ratings against the numbers of texts that HELM names', () => {
  const named = 'rouge_1 rouge_2 rouge_l BERTScore-P BERTScore-R BERTScore-F bleu_1 bleu_4 f1_score'
  expect(new Set(textMeasures())).toEqual(new Set(named.split(' ')))
})

it('a jury’s score is named by its benchmark, and by a place for a name where there is none', () => {
  const names = (id: 'llm_jury' | 'health_bench', args: readonly (readonly [string, PyValue])[]) =>
    metricOf(id)
      .given?.(new Map(args))
      .map(({ name }) => name)[0]
  for (const id of ['llm_jury', 'health_bench'] as const) {
    expect(names(id, [['metric_name', 'ward_accuracy']])).toBe('ward_accuracy')
    expect(names(id, [])).toBe('<metric_name>')
    expect(names(id, [['metric_name', 7]])).toBe('<metric_name>')
  }
})
