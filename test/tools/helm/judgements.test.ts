import { describe, expect, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import { annotationOf, emptyAnnotation } from '../../../targets/jury/stored-judgements.ts'
import { juryOf, readJudgements, type HelmJury } from '../../../tools/helm/judgements.ts'

const score = (value: string): string => `{"accuracy": {"score": ${value}}}`

/** A request state as HELM's files hold it: judges without a readable reply are not in its annotation. */
const state = (
  id: string,
  replies: Readonly<Record<string, string>> | 'blank' | undefined,
  split = 'test',
  trainTrialIndex = 0,
) => ({
  instance: { id, split },
  trainTrialIndex,
  ...(replies === undefined
    ? {}
    : {
        annotations: new Map<string, PyValue>([
          [
            'letters',
            replies === 'blank'
              ? emptyAnnotation()
              : annotationOf(
                  'Judge.',
                  Object.entries(replies).map(([name, json]) => [name, loads(json)] as const),
                ),
          ],
        ]),
      }),
})

const read = async (states: readonly ReturnType<typeof state>[], jury: HelmJury) =>
  readJudgements(
    (async function* () {
      yield* states
    })(),
    jury,
    'test',
  )

describe('Judgements in HELM’s files', () => {
  const JURY: HelmJury = { annotator: 'letters', judges: ['one', 'two'], scale: { least: 1, most: 5 } }
  const BOTH = { one: score('4'), two: score('5') }

  test('are counted of all judges and answers of the split; a blank answer lacks none.', async () => {
    const states = [
      state('a', BOTH),
      state('b', { one: score('4') }),
      state('c', 'blank'),
      state('d', undefined),
      state('e', { two: score('4') }, 'valid'),
      // A perturbed instance has the id of the one that it was made of.
      { ...state('a', { one: score('4') }), instance: { id: 'a', split: 'test', perturbation: {} } },
    ]
    expect(await read(states, JURY)).toEqual({
      judgements: { wanted: 8, read: 2 + 1 + 2 + 0 },
      unread: new Set(['b', 'd']),
      byDefault: new Set(['0 d']),
    })
  })

  test('count with every score a number on the scale; without a scale any number does.', async () => {
    const states = [
      state('a', { ...BOTH, two: score('6') }),
      state('b', { ...BOTH, one: score('"good"') }),
      state('c', { ...BOTH, one: '{"accuracy": {"score": 4}, "tone": {"score": 0}}' }),
      state('d', { ...BOTH, one: '[4]' }),
      state('e', { one: score('1'), two: score('5') }),
    ]
    expect(await read(states, JURY)).toEqual({
      judgements: { wanted: 10, read: 6 },
      unread: new Set(['a', 'b', 'c', 'd']),
      byDefault: new Set(),
    })
    const { scale: _, ...open } = JURY
    expect(await read(states, open)).toEqual({
      judgements: { wanted: 10, read: 8 },
      unread: new Set(['b', 'd']),
      byDefault: new Set(),
    })
  })

  test.each([
    ['helm-0.5.16', ['b', 'c']],
    ['medhelm-0.8', ['a', 'c']],
  ] as const)('are read as %s reads them from the store', async (profile, unread) => {
    const states = [
      state('a', { ...BOTH, two: score('5.5') }),
      state('b', { ...BOTH, two: score('"4.5"') }),
      state('c', { ...BOTH, two: score('"4/5"') }),
      state('d', { ...BOTH, two: score('" 4 "') }),
    ]
    expect((await read(states, { ...JURY, profile })).unread).toEqual(new Set(unread))
  })

  test('are of the judges who were read anywhere, where nobody names them; of any trial.', async () => {
    const { judges: _, ...unnamed } = JURY
    const states = [
      state('a', BOTH),
      state('b', { one: score('2') }),
      state('c', 'blank'),
      state('a', {}, 'test', 1),
    ]
    expect(await read(states, unnamed)).toEqual({
      judgements: { wanted: 8, read: 2 + 1 + 2 + 0 },
      unread: new Set(['a', 'b']),
      byDefault: new Set(['1 a']),
    })
    expect(await read([state('a', 'blank')], unnamed)).toEqual({
      judgements: { wanted: 0, read: 0 },
      unread: new Set(),
      byDefault: new Set(),
    })
  })

  test('that were read nowhere leave every answer unread, though nobody names the judges.', async () => {
    const { judges: _, ...unnamed } = JURY
    expect(await read([state('a', {}), state('b', 'blank'), state('c', undefined)], unnamed)).toEqual({
      judgements: { wanted: 0, read: 0 },
      unread: new Set(['a', 'c']),
      byDefault: new Set(['0 a', '0 c']),
    })
  })
})

describe('The judges of a run of HELM’s', () => {
  const spec = (args: readonly (readonly [string, PyValue])[], className = 'LLMJuryMetric'): ObjectSpec => ({
    className: `helm.benchmark.metrics.llm_jury_metrics.${className}`,
    args: new Map(args),
  })
  const named = spec([
    ['metric_name', 'letters_accuracy'],
    ['scenario_name', 'letters'],
    ['annotator_models', new Map([['one', new Map()]])],
  ])
  const declared = {
    metric: 'letters_accuracy',
    annotator: 'own',
    scale: { least: 1, most: 5 },
    isGraded: false,
  }

  test('are those of the metric’s arguments; the scale is the declared one’s of that metric.', () => {
    const { scale } = declared
    expect(juryOf([named], 'letters_accuracy')).toEqual({ annotator: 'letters', judges: ['one'] })
    expect(juryOf([named], 'letters_accuracy', declared)).toEqual({
      annotator: 'letters',
      judges: ['one'],
      scale,
    })
    expect(juryOf([named], 'letters_accuracy', { ...declared, isGraded: true })).not.toHaveProperty('scale')
    expect(juryOf([named], 'letters_accuracy', { ...declared, metric: 'other' })).not.toHaveProperty('scale')
  })

  test('are not named by a metric of another class: the benchmark’s declaration says where they stand.', () => {
    const other = spec([], 'LettersMetric')
    expect(juryOf([other], 'letters_accuracy', declared)).toEqual({ annotator: 'own', scale: declared.scale })
    expect(juryOf([other], 'letters_accuracy')).toBeUndefined()
    expect(juryOf([named], 'exact_match', declared)).toBeUndefined()
  })
})
