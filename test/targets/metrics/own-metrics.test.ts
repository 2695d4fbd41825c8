import { describe, expect, it } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Measure, MetricCode, MetricCodeInput } from '../../../benchmarks/scenario/metric-code.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { codeMetric } from '../../../targets/metrics/code/code-metric.ts'
import { healthBench } from '../../../targets/metrics/health-bench.ts'
import { isJurys } from '../../../targets/metrics/llm-jury.ts'
import { measureNamed, measuresOf } from '../../../targets/metrics/catalog.ts'
import { medcalcBench } from '../../../targets/metrics/medcalc-bench.ts'
import { sctBench } from '../../../targets/metrics/sct-bench.ts'
import { clippedMean } from '../../../targets/metrics/scoring/trial-sums.ts'
import { adapter, completion, metricSpec, sampleState } from './sample-state.ts'

type Sample = Parameters<typeof sampleState>[0]

const map = (text: string) => loads(text) as ReadonlyMap<string, PyValue>
const messageOf = (act: () => unknown): string => {
  try {
    return JSON.stringify(act())
  } catch (error) {
    return error instanceof ProblemError ? (error.problems[0]?.message ?? '') : (error as Error).message
  }
}

const MEASURE: Measure = {
  name: 'own',
  unit: 'share',
  least: 0,
  most: 1,
  better: 'higher',
  of: 'instance',
  displayName: 'Own',
  description: '',
  group: 'accuracy',
}

const own = (evaluate: (input: MetricCodeInput) => unknown, measures: readonly Measure[] = [MEASURE]) =>
  codeMetric({ id: 'own', digest: 'd', files: [], measures, evaluate } as unknown as MetricCode)

const given = (value: unknown, change: Partial<Measure> = {}): string =>
  messageOf(() =>
    own(() => value, [{ ...MEASURE, ...change }]).evaluate(sampleState({}), metricSpec('own'), adapter()),
  )

describe('a workspace’s metric', () => {
  it('is measured anew where anything that it is shown changed', () => {
    expect(own(() => ({})).reads).toEqual(['instance', 'prompt', 'completions', 'annotations'])
  })

  it('is shown the answer, and no id', () => {
    let seen: MetricCodeInput | undefined
    const metric = own((input) => {
      seen = input
      return { own: 1 }
    })
    const state = sampleState({
      golds: ['Rest.', 'Run.'],
      answers: ['Rest a day.', completion('Or two.')],
      extraData: map('{"age": 7}'),
      annotations: map('{"tone": {"kind": true}}'),
    })
    metric.evaluate(state, metricSpec('own', { args: map('{"least": 3}') }), adapter())
    expect(seen).toEqual({
      input: 'What helps?',
      references: [
        { text: 'Rest.', correct: true },
        { text: 'Run.', correct: false },
      ],
      extra: { age: 7 },
      split: 'test',
      prompt: 'What helps?',
      completion: 'Rest a day.',
      completions: ['Rest a day.', 'Or two.'],
      annotations: { tone: { kind: true } },
      args: { least: 3 },
    })
    metric.evaluate(sampleState({ answers: [] }), metricSpec('own'), adapter())
    expect(seen).toMatchObject({ completion: '', completions: [], args: {}, annotations: {} })
  })

  it.each([
    [{ own: 0.5 }, {}, '[{"name":"own","value":0.5,"float":true}]'],
    [{ own: true }, {}, '[{"name":"own","value":1,"float":true}]'],
    [{ own: null }, {}, '[{"name":"own","value":null,"float":false}]'],
    [{ own: 0 }, {}, '[{"name":"own","value":0,"float":true}]'],
    [{ own: 1 }, { unit: '0 or 1' }, '[{"name":"own","value":1,"float":false}]'],
    [{ own: 7 }, { unit: 'count', most: null }, '[{"name":"own","value":7,"float":false}]'],
    [{ own: -7 }, { unit: 'points', least: null }, '[{"name":"own","value":-7,"float":true}]'],
    [{ own: 1.5 }, {}, /own is 1\.5, which is outside of 0 to 1$/],
    [{ own: -0.1 }, {}, /outside of 0 to 1$/],
    // What a cosine of a text with itself comes to, and what is more than rounding.
    [{ own: 1.0000000000000002 }, {}, '[{"name":"own","value":1,"float":true}]'],
    [{ own: -1e-7 }, {}, '[{"name":"own","value":0,"float":true}]'],
    [{ own: 1.00001 }, {}, /own is 1\.00001, which is outside of 0 to 1$/],
    [{ own: 3 }, { least: 5, most: null }, /outside of 5 to ∞$/],
    [{ own: 3 }, { least: null, most: 2 }, /outside of −∞ to 2$/],
    [{ own: 0.5 }, { unit: 'count' }, /own is 0\.5, no whole number$/],
    [{ own: NaN }, {}, /own is no number$/],
    [{ own: Infinity }, { most: null }, /own is no number$/],
    [{ own: '1' }, {}, /own is no number$/],
    [{}, {}, /own is no number$/],
    [{ own: 1, more: 1 }, {}, /it gave "more", which is none of its measures$/],
    [1, {}, /it gave no object of numbers by name$/],
    [null, {}, /it gave no object of numbers by name$/],
    [[1], {}, /it gave no object of numbers by name$/],
  ] as const)('gives %j for a measure of %j', (value, change, wanted) => {
    expect(given(value, change as Partial<Measure>)).toMatch(wanted)
  })

  it('can not wait, and may throw while it is read', () => {
    expect(given(Promise.resolve({ own: 1 }))).toMatch(/it gave a promise, and evaluate can not wait$/)
    const bad = {
      get own(): never {
        throw new Error('no')
      },
    }
    expect(given(bad)).toMatch(/it ended with: no$/)
  })

  it('tells what it threw, and is not asked without the annotation that it needs', () => {
    const fails = own(() => {
      throw new TypeError('no such word')
    })
    expect(messageOf(() => fails.evaluate(sampleState({}), metricSpec('own'), adapter()))).toContain(
      'it ended with: no such word',
    )
    const needs = { ...metricSpec('own'), needs: ['tone'] }
    const metric = own(() => ({ own: 1 }))
    expect(messageOf(() => metric.evaluate(sampleState({}), needs, adapter()))).toContain(
      'has no annotation of tone',
    )
    const annotated = sampleState({ annotations: map('{"tone": 1}') })
    expect(metric.evaluate(annotated, needs, adapter())).toHaveLength(1)
  })

  it('is described by the run that names it; our names by our metrics, the best of five by the same', () => {
    const told = {
      className: 'workspace.metrics.own',
      args: map(
        '{"measures": [{"name": "own", "unit": "count", "least": null, "most": 3.0, "better": "lower", "display_name": "", "description": "D"}]}',
      ),
    }
    expect(measuresOf(told)).toMatchObject([
      {
        name: 'own',
        unit: 'count',
        least: null,
        most: 3,
        better: 'lower',
        displayName: 'own',
        description: 'D',
      },
    ])
    expect(measuresOf({ className: 'elsewhere.Metric', args: new Map() })).toEqual([])
    expect(measureNamed('own', [told])?.unit).toBe('count')
    expect(measureNamed('own', [])).toBeUndefined()
    expect(measureNamed('exact_match@5', [])?.name).toBe('exact_match')
    expect(measureNamed('exact_match@', [])).toBeUndefined()
  })

  it('is no jury’s; a jury’s stat has the name that its object gives', () => {
    const jury = {
      className: 'helm.benchmark.metrics.llm_jury_metrics.LLMJuryMetric',
      args: map('{"metric_name": "care"}'),
    }
    const other = { className: 'x.Other', args: map('{"metric_name": "care"}') }
    expect([
      isJurys('care', [other, jury]),
      isJurys('care', [other]),
      isJurys('other', [jury]),
      isJurys('jury_score_strict', []),
    ]).toEqual([true, false, false, true])
  })
})

describe('HealthBench', () => {
  const RUBRICS =
    '[{"criterion": "a", "points": 4, "tags": ["axis:x"]}, {"criterion": "b", "points": 6, "tags": ["axis:x", "axis:y"]}, {"criterion": "c", "points": -5, "tags": ["axis:z"]}]'
  const judged = (...met: readonly boolean[]): string =>
    `{"rubric": {"score": 0, "criteria": [${met.map((each) => `{"criteria_met": ${each}}`).join()}]}}`
  const points = (
    annotation: string | undefined,
    rubrics = RUBRICS,
    tags = '["theme:t"]',
    judges = '{"one": 1, "two": 2}',
  ) =>
    Object.fromEntries(
      healthBench
        .evaluate(
          sampleState({
            extraData: map(`{"rubrics": ${rubrics}, "example_tags": ${tags}}`),
            ...(annotation === undefined ? {} : { annotations: map(`{"hb": ${annotation}}`) }),
          }),
          metricSpec('health_bench', {
            metric_name: 'score',
            scenario_name: 'hb',
            annotator_models: map(judges),
          }),
          adapter(),
        )
        .map(({ name, value }) => [name, value]),
    )

  it('is one judge’s where there is one, and takes no item for met of which no grade says so', () => {
    const graded =
      '{"one": {"rubric": {"score": 0, "criteria": [{"criteria_met": true}, {"criteria_met": null}]}}}'
    // 4 of 10: the second item's grade says nothing, the third has none.
    expect(points(graded, RUBRICS, '["overall_score"]', '{"one": 1}')).toMatchObject({
      score: 0.4,
      overall_score: 0.4,
      'axis:y': 0,
    })
  })

  it('has points by all items, by the example’s tags and by those of its items, over all judges', () => {
    expect(points(`{"one": ${judged(true, false, true)}, "two": ${judged(true, true, false)}}`)).toEqual({
      // (4 − 5) / 10 and 10 / 10
      score: 0.45,
      'score:below_zero': 0,
      overall_score: 0.45,
      'theme:t': 0.45,
      'axis:x': (0.4 + 1) / 2,
      'axis:y': 0.5,
    })
    expect(
      points(`{"one": ${judged(false, false, true)}, "two": ${judged(false, false, true)}}`),
    ).toMatchObject({
      score: -0.5,
      'score:below_zero': 1,
    })
    expect(
      points(`{"one": ${judged(false, false, false)}, "two": ${judged(false, false, false)}}`),
    ).toMatchObject({
      score: 0,
      'score:below_zero': 0,
    })
  })

  it('has none where a judge has none, and says so where nothing can be reached', () => {
    expect(points(`{"one": ${judged(true, true, true)}}`)).toEqual({})
    expect(() => points(undefined)).toThrow(ProblemError)
    const both = `{"one": ${judged(true)}, "two": ${judged(true)}}`
    expect(() => points(both, '[{"criterion": "a", "points": -1, "tags": []}]')).toThrow(ProblemError)
    const twice = '[{"criterion": "a", "points": 1, "tags": ["x", "x"]}]'
    expect(() => points(both, twice)).toThrow('names a tag twice')
    expect(() => points(both, RUBRICS, '["theme:t", "theme:t"]')).toThrow('names a tag twice')
  })

  it('lets no tag take the place of the score', () => {
    const rubric =
      '[{"criterion": "a", "points": 1, "tags": ["overall_score"]}, {"criterion": "b", "points": 1, "tags": []}]'
    const found = points(
      `{"one": ${judged(true, false)}, "two": ${judged(true, false)}}`,
      rubric,
      '["overall_score", 3]',
    )
    expect(found).toEqual({ score: 0.5, 'score:below_zero': 0, overall_score: 0.5 })
  })

  it('is cut after averaging, with the error of the cut means', () => {
    // Mean 0.5, √(Σ (x − 0.5)² / 3 / 3) = 0.1179; six of them would leave 0 … 1.
    expect(clippedMean([0.5, 0.25, 0.75], 's').mean).toBe(0.5)
    const many = Array.from({ length: 400 }, (_, index) => 0.4 + 0.2 * (index % 2))
    expect(clippedMean(many, 's')).toEqual({
      mean: expect.closeTo(0.5, 12),
      bootstrapStd: expect.closeTo(0.1 / 20, 12),
    })
    expect(clippedMean([-1, -2, -3], 's')).toEqual({ mean: 0, bootstrapStd: 0 })
    expect(clippedMean([1, 1, 1], 's')).toEqual({ mean: 1, bootstrapStd: 0 })
    const low = clippedMean([-1, 1, -1, 1], 's')
    // Half of the resamples are cut: of a mean with error 0.5, E[max(0, x)²] − E[max(0, x)]² is about 0.29².
    expect(low.mean).toBe(0)
    expect(low.bootstrapStd).toBeGreaterThan(0.24)
    expect(low.bootstrapStd).toBeLessThan(0.33)
    expect(clippedMean([-1, 1, -1, 1], 's')).toEqual(low)
    expect(clippedMean([-1, 1, -1, 1], 'other').bootstrapStd).not.toBe(low.bootstrapStd)
  })
})

describe('SCT-Bench', () => {
  const scores = (answer: string, experts = '[0, 5, 10, 2.5, 0]') =>
    messageOf(() =>
      sctBench
        .evaluate(
          sampleState({ answers: [answer], extraData: map(`{"expert_distribution": ${experts}}`) }),
          metricSpec('sct_bench'),
          adapter(),
        )
        .map(({ value }) => value),
    )

  it.each([
    ['Rating: 0', '[1,1]'],
    ['So. Rating: -1.', '[0.5,1]'],
    ['Rating: +1', '[0.25,1]'],
    ['Rating: +2', '[0,0]'],
    ['Rating: -2', '[0,0]'],
    ['rating: 0', '[0,0]'],
    ['Rating: none', '[0,0]'],
    // Six characters behind the mark are one too many, and ratings are written together.
    ['Rating:      0', '[0,0]'],
    ['Rating:     0', '[1,1]'],
    ['Rating: 0 0', '[1,1]'],
    ['Rating: +1 0', '[0,0]'],
    ['Rating: 0-1', '[0,0]'],
    ['Rating: +1Rating: -1', '[0.25,1]'],
  ])('%j', (answer, wanted) => {
    expect(scores(answer)).toBe(wanted)
  })

  it('is 0 where no expert gave a rating, and refused without five numbers', () => {
    expect(scores('Rating: 0', '[0, 0, 0, 0, 0]')).toBe('[0,0]')
    for (const experts of ['[1, 2, 3, 4]', '[1, 2, 3, 4, 5, 6]', '"12345"', '[1, 2, 3, 4, "5"]'])
      expect(scores('Rating: 0', experts)).toContain('does not say how the experts rated it')
  })
})

describe('MedCalc-Bench’s readings', () => {
  const sample = (category: string, lower: string, upper: string, more: Partial<Sample> = {}): Sample => ({
    golds: ['5'],
    extraData: map(`{"category": "${category}", "lower_limit": ${lower}, "upper_limit": ${upper}}`),
    ...more,
  })
  const score = (each: Sample, corrected: readonly string[] = []) =>
    medcalcBench.evaluate(sampleState(each), { ...metricSpec('medcalc_bench'), corrected }, adapter())[0]
      ?.value

  it('are of texts, numbers, dates and gestational ages by category', () => {
    expect(score(sample('risk', 'null', 'null', { golds: ['low'], answers: ['low'] }))).toBe(1)
    expect(score(sample('severity', 'null', 'null', { golds: ['low'], answers: [' low\n'] }))).toBe(1)
    expect(score(sample('diagnosis', 'null', 'null', { golds: ['low'], answers: ['lower'] }))).toBe(0)
    expect(score(sample('physical', '4', '6.0', { answers: ['6'] }))).toBe(1)
    expect(score(sample('physical', 'true', '"2"', { answers: ['1.5'] }))).toBe(1)
    expect(score(sample('dosage conversion', '4', '6', { answers: ['3.9'] }))).toBe(0)
    const weeks = { golds: ["('3 weeks', '1 days')"], answers: ["('3 weeks', '0 days')"] }
    expect(score(sample('date', `"('3 weeks', '0 days')"`, `"('3 weeks', '2 days')"`, weeks))).toBe(1)
    expect(score(sample('date', `"('3 weeks', '1 days')"`, `"('3 weeks', '2 days')"`, weeks))).toBe(0)
    expect(messageOf(() => score(sample('date', '4', '"1/1/2020"', { answers: ['1/1/2020'] })))).toContain(
      'lower_limit',
    )
    expect(messageOf(() => score(sample('physical', '4', '[6]', { answers: ['5'] })))).toContain(
      'upper_limit',
    )
    expect(score(sample('other', '4', '6', { answers: ['5'] }))).toBe(0)
    for (const category of ['lab', 'dosage']) {
      expect(score(sample(category, '4', '6', { answers: ['5'] }))).toBe(0)
      expect(score(sample(category, '4', '6', { answers: ['5'] }), ['lab-category'])).toBe(1)
      expect(score(sample(category, '4', '6', { answers: ['5'] }), ['else'])).toBe(0)
    }
  })

  it('have no value without reference or answer, and tell a limit that nobody can read', () => {
    expect(score(sample('physical', '4', '6', { golds: [] }))).toBeUndefined()
    expect(score(sample('physical', '4', '6', { answers: [] }))).toBeUndefined()
    const told = (each: Sample) =>
      medcalcBench.failures?.(sampleState(each), metricSpec('medcalc_bench')).map(({ cause }) => cause.code)
    expect(told(sample('physical', '"x"', '6'))).toEqual(['bad-limit'])
    expect(told(sample('physical', '4', '"x"'))).toEqual(['bad-limit'])
    expect(told(sample('physical', '4', '6'))).toEqual([])
    expect(told(sample('risk', 'null', 'null'))).toEqual([])
    expect(told(sample('physical', '"x"', '6', { golds: [] }))).toEqual([])
    expect(score(sample('physical', '"x"', '6', { answers: ['5'] }))).toBe(0)
  })
})
