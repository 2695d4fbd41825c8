import { describe, expect, it } from 'vitest'
import { numberOf } from '../../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../../benchmarks/python/value.ts'
import { ProblemError } from '../../../../cache/problems/problem.ts'
import { referencePoints } from '../../../../targets/metrics/scoring/reference-scores.ts'
import { shared } from '../../../rig/shared.ts'
import { goldenLines, type Row } from '../golden-lines.ts'
import { adapter, completion, sampleState, typed } from '../sample-state.ts'

const OPTIONS = new Map([
  ['A', 'flu'],
  ['B', 'cold'],
])

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run()
  } catch (error) {
    if (error instanceof ProblemError) return error.problems[0]?.code
    throw error
  }
  return undefined
}

describe('scores against references', () => {
  it('take the likeliest completion, and all of them for @k', () => {
    const answers = [completion('cold', { logprob: -2 }), completion('flu', { logprob: -1 })]
    const points = referencePoints(
      sampleState({ golds: ['cold'], answers }),
      ['exact_match'],
      adapter({ numOutputs: 2 }),
    )
    expect(points.map(({ name, value }) => [name, value])).toEqual([
      ['max_prob', Math.exp(-1)],
      ['exact_match', 0],
      ['exact_match@2', 1],
    ])
  })

  it('keep the type of the first of equal scores, as Python’s max does', () => {
    // The F1 of two texts without a shared word is the int 0, that of an empty one the float 0.
    const f1 = (...golds: string[]) =>
      referencePoints(
        sampleState({ golds, correct: [true, true], answers: ['cold'] }),
        ['f1_score'],
        adapter(),
      )[1]
    expect(f1('flu', 'the')).toEqual({ name: 'f1_score', value: 0, float: false })
    expect(f1('the', 'flu')).toEqual({ name: 'f1_score', value: 0, float: true })
  })

  it('are of the answer without the blanks around it', () => {
    const state = sampleState({ golds: ['yes'], answers: ['I would say yes \n'] })
    expect(referencePoints(state, ['exact_match_indicator'], adapter())[1]?.value).toBe(1)
  })

  it('look a letter up, and count an answer that is more than a letter as wrong', () => {
    const score = (answer: string): number | null | undefined =>
      referencePoints(
        sampleState({ golds: ['flu', 'cold'], answers: [answer], options: OPTIONS }),
        ['exact_match'],
        adapter(),
      )[1]?.value
    expect([score(' A\n'), score('A.'), score('a'), score('B')]).toEqual([1, 0, 0, 0])
  })

  it('find the letter by a pattern', () => {
    const state = sampleState({ golds: ['flu'], answers: ['Answer: (a)'], options: new Map([['a', 'flu']]) })
    const outputMappingPattern = '(?i)ANSWER: \\((.)\\)'
    expect(referencePoints(state, ['exact_match'], adapter({ outputMappingPattern }))[1]?.value).toBe(1)
  })

  it.each([
    ['targets/no-correct-reference', { golds: ['x'], correct: [false] }, 'exact_match', undefined],
    ['targets/no-completion', { golds: ['x'], answers: [] }, 'exact_match', undefined],
    ['targets/unknown-metric-name', { golds: ['x'] }, 'exact_macth', undefined],
    ['targets/metric-not-computed', { golds: ['x'] }, 'bleu_4', undefined],
    ['targets/answer-without-option', { golds: ['x'], options: OPTIONS }, 'f1_score', undefined],
    ['targets/bad-output-mapping-pattern', { golds: ['x'], options: OPTIONS }, 'exact_match', '('],
  ])('refuse with %s', (code, sample, name, pattern) => {
    const spec = adapter(pattern === undefined ? {} : { outputMappingPattern: pattern })
    expect(codeOf(() => referencePoints(sampleState(sample), [name], spec))).toBe(code)
  })

  it('suggest the metric that was meant', () => {
    expect(() => referencePoints(sampleState({ golds: ['x'] }), ['exact_macth'], adapter())).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ remedy: expect.stringContaining('"exact_match"') })],
      }),
    )
  })
})

const isBleu = (name: string): boolean => name.startsWith('bleu_')

const recompute = (row: Row): readonly PyValue[] | undefined => {
  const logprobs = row.get('logprobs') as readonly number[] | undefined
  const options = row.get('mapping') as ReadonlyMap<string, string> | undefined
  const state = sampleState({
    golds: row.get('references') as readonly string[],
    correct: row.get('correct') as readonly boolean[],
    answers: (row.get('completions') as readonly string[]).map((text, index) =>
      completion(text, { logprob: numberOf(logprobs?.[index] ?? 0) }),
    ),
    ...(options === undefined || options === null ? {} : { options }),
  })
  const pattern = row.get('pattern') as string | null | undefined
  const spec = adapter({
    numOutputs: (row.get('num_outputs') as number | undefined) ?? 1,
    ...(pattern === undefined || pattern === null ? {} : { outputMappingPattern: pattern }),
  })
  const names = (row.get('names') as readonly string[]).filter((name) => !isBleu(name))
  try {
    return typed(referencePoints(state, names, spec))
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** One unit in the last place: numpy's exp, glibc's and V8's are not the same (targets/HELM.md T19). */
const nearly = (value: number): unknown => expect.closeTo(value, 15)

it.skipIf(shared('golden/metrics') === undefined)('scores of golden instances are HELM’s', () => {
  const rows = goldenLines('strings-instances.jsonl')
  expect(rows).toHaveLength(335)
  for (const row of rows) {
    const stats = row.get('stats')
    if (!Array.isArray(stats)) {
      // HELM raises. BLEU alone is left out here, so a row with nothing else has nothing to refuse.
      const names = row.get('names') as readonly string[]
      if (!names.every(isBleu)) expect(recompute(row)).toBeUndefined()
      continue
    }
    const expected = (stats as readonly (readonly [string, number])[])
      .filter(([name]) => !isBleu(name))
      .map(([name, value]) => [
        name,
        name === 'max_prob' && typeof value === 'number' ? nearly(value) : value,
      ])
    expect(recompute(row)).toEqual(expected)
  }
})
