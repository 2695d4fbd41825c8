import { describe, expect, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { JudgeCounter } from '../../../targets/jury/judge-coverage.ts'
import {
  storedJudgements,
  emptyAnnotation,
  type JuryReading,
} from '../../../targets/jury/stored-judgements.ts'
import { dialectOf } from '../../../targets/profile.ts'

const READING: JuryReading = {
  jury: {
    annotator: 'demo',
    scale: { least: 1, most: 5 },
    criteria: new Map([
      ['accuracy', ['score']],
      ['clarity', ['score']],
    ]),
  },
  judges: ['gpt', 'claude'],
  dialect: dialectOf('helm-0.5.16'),
}

/** A request whose judges replied so; a judge that is left out gave nothing that could be read. */
const instance: Instance = { id: 'id0', input: { text: '' }, references: [], split: 'test' }

const judged = (replies: Readonly<Record<string, string>>) => ({
  instance,
  annotations: new Map<string, PyValue>([
    [
      'demo',
      new Map<string, PyValue>([
        ['prompt_text', 'Judge this.'],
        ...Object.entries(replies).map(([judge, json]) => [judge, loads(json)] as const),
      ]),
    ],
  ]),
})

const scores = (accuracy: string, clarity: string): string =>
  `{"accuracy": {"score": ${accuracy}}, "clarity": {"score": ${clarity}}}`

const coverageOf = (states: readonly ReturnType<typeof judged>[], reading = READING) => {
  const counter = new JudgeCounter(reading)
  for (const state of states) counter.add(state)
  return counter.result()
}

describe('the coverage of a judge', () => {
  test('tells replies that count from those that could not be read and those off the scale', () => {
    const [gpt, claude] = coverageOf([
      judged({ gpt: scores('5', '4'), claude: scores('3', '3') }),
      judged({ gpt: scores('2', '9') }),
      judged({ gpt: scores('1', '"none"'), claude: scores('4', '2') }),
    ])
    expect(gpt).toEqual({
      judge: 'gpt',
      asked: 3,
      counted: 1,
      unreadable: 1,
      outOfRange: 1,
      mean: 4.5,
      criteria: [
        // Of one criterion every score that is on the scale tells something, whatever the other is.
        { criterion: 'accuracy', counted: 3, mean: 8 / 3 },
        { criterion: 'clarity', counted: 1, mean: 4 },
      ],
    })
    expect(claude).toMatchObject({ judge: 'claude', asked: 3, counted: 2, unreadable: 1, mean: 3 })
  })

  test('counts no answer that nobody was asked about, nor one without a reply', () => {
    const blank = { instance, annotations: new Map<string, PyValue>([['demo', emptyAnnotation()]]) }
    const counter = new JudgeCounter(READING)
    counter.add(blank)
    counter.add({ instance })
    expect(counter.result()[0]).toEqual({
      judge: 'gpt',
      asked: 0,
      counted: 0,
      unreadable: 0,
      outOfRange: 0,
      mean: null,
      criteria: [
        { criterion: 'accuracy', counted: 0, mean: null },
        { criterion: 'clarity', counted: 0, mean: null },
      ],
    })
  })

  test('holds what a judge added to the scale, and names only what the rubric names', () => {
    const added = '{"accuracy": {"score": 5}, "clarity": {"score": 5}, "Ms Doe": {"score": 11}}'
    const [gpt] = coverageOf([judged({ gpt: added, claude: scores('1', '1') })])
    expect(gpt).toMatchObject({ counted: 0, outOfRange: 1 })
    expect(gpt?.criteria.map(({ criterion }) => criterion)).toEqual(['accuracy', 'clarity'])
    // On the scale it counts as any other score: 5, 5 and 5 here, 1 and 1 there.
    const within = coverageOf([
      judged({ gpt: added.replace('11', '5') }),
      judged({ gpt: scores('1', '1') }),
    ])[0]
    expect(within).toMatchObject({ counted: 2, mean: 17 / 5, criteria: [{ mean: 3 }, { mean: 3 }] })
  })

  test('reads scores as the profile does', () => {
    const states = [judged({ gpt: scores('4.5', '5.5'), claude: scores('1', '1') })]
    expect(coverageOf(states)[0]).toMatchObject({ counted: 1, mean: 4.5 })
    const reading = { ...READING, dialect: dialectOf('medhelm-0.8') }
    expect(coverageOf(states, reading)[0]).toMatchObject({
      counted: 0,
      outOfRange: 1,
      criteria: [{ mean: 4.5 }, { mean: null }],
    })
  })
})

test('stored judgements stand in the jury’s order, each judge once', () => {
  const read = storedJudgements(judged({ claude: scores('2', '2'), stranger: scores('5', '5') }), READING)
  expect(read.map(({ judge, reading }) => [judge, reading.kind])).toEqual([
    ['gpt', 'failed'],
    ['claude', 'scores'],
  ])
})
