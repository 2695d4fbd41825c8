import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { HelmCompletion, RequestState } from '../../../targets/record/request-state.ts'
import { randomKey, RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { completion, sampleState } from './sample-state.ts'

/** Words, numbers, codes and marks that some metric reads in its own way. */
const WORDS = [
  'the',
  'patient',
  'has',
  'a',
  'Pneumonia',
  'fever',
  '3',
  '500mg',
  'J18.9',
  'E11.65',
  'CORRECT',
  'Rating: +1',
  'Rating: -2',
].concat([
  'A',
  '03/04/2020',
  '-1.5',
  '(3 weeks, 2 days)',
  '{',
  '}',
  '.',
  ',',
  '"',
  '\n',
  '\u00A0',
  'ß',
  '😷',
  'İ',
])
const CATEGORIES = ['physical', 'date', 'risk', 'lab', 'severity', 'dosage conversion', 'diagnosis']
const ROWS: readonly PyValue[] = [[1, 'a'], [2, null], ['x']]

/** Request states of every kind that a metric may meet, the same at each run: what a stream of a name draws. */
export class RandomStates {
  readonly #draw: RandomStream

  constructor(name: string) {
    this.#draw = new RandomStream(randomKey(name), 0)
  }

  text(longest = 12): string {
    return this.#list(this.#draw.below(longest + 1), () => this.pick(WORDS)).join(' ')
  }

  pick<T>(values: readonly T[]): T {
    return values[this.#draw.below(values.length)] as T
  }

  /** References that are not blank; the answer is now and then one of them. */
  state(id: number): RequestState {
    const golds = this.#list(1 + this.#draw.below(3), () => this.text() || 'gold')
    const answers = this.#list(1 + this.#draw.below(3), () =>
      this.#draw.below(3) === 0 ? this.pick(golds) : this.text(),
    )
    return sampleState({
      id,
      input: this.text(40),
      golds,
      correct: golds.map((_, index) => index === 0 || this.#draw.below(2) === 0),
      answers: answers.map((answer) => this.#completion(answer)),
      extraData: new Map<string, PyValue>([
        ['category', this.pick(CATEGORIES)],
        ['lower_limit', this.pick(['1', '03/01/2020', 'x'])],
        ['upper_limit', this.pick(['2', '03/09/2020', 'x'])],
        ['is_impossible', this.pick([true, false])],
        ['expert_distribution', [0, 1, 2, 3, 4].map(() => this.#draw.below(3))],
      ]),
      annotations: this.#annotations(),
    })
  }

  #completion(text: string): HelmCompletion {
    const tokens = text.split(' ').map((word) => ({ text: word, logprob: -this.#draw.below(4) / 4 }))
    const logprob = tokens.reduce((sum, token) => sum + token.logprob, 0)
    return completion(text, {
      tokens,
      logprob,
      finishReason: this.pick(['stop', 'length', 'content_filter']),
    })
  }

  #annotations(): ReadonlyMap<string, PyValue> {
    const verdict = (): PyValue => {
      const criteria = this.#list(1 + this.#draw.below(2), (index): [string, PyValue] => [
        `criterion ${index}`,
        new Map<string, PyValue>([['score', this.pick([1, 2, 3, 4, 5, '4', 'good'])]]),
      ])
      return new Map(criteria)
    }
    const judges = ['gpt', 'claude'].filter(() => this.#draw.below(4) > 0)
    return new Map<string, PyValue>([
      ['demo', new Map(judges.map((judge) => [judge, verdict()]))],
      [
        'ehr_sql',
        new Map<string, PyValue>([
          ['predicted_result', this.#list(this.#draw.below(3), () => this.pick(ROWS))],
          ['ground_truth_result', this.#list(this.#draw.below(3), () => this.pick(ROWS))],
          ['query_error', this.pick([null, 'no such table'])],
        ]),
      ],
    ])
  }

  #list<T>(length: number, make: (index: number) => T): T[] {
    return Array.from({ length }, (_, index) => make(index))
  }
}
