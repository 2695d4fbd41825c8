import { describe, expect, test } from 'vitest'
import { compareProfiles } from '../../../../targets/compare/profiles/compare-profiles.ts'
import type { ProfileReading, ReadRequest } from '../../../../targets/compare/profiles/read-profile-run.ts'
import { formatProfiles } from '../../../../tools/compare/format-profiles.ts'

const SENT = {
  'system message': '',
  prompt: 'p',
  temperature: '0',
  max_tokens: '512',
  'stop sequences': '',
  'number of answers': '1',
} as const

const request = (question: string, value: number | null, change: Partial<ReadRequest> = {}): ReadRequest => ({
  question,
  unanswerable: false,
  request: SENT,
  answer: 'a',
  annotations: 'j',
  value,
  ...change,
})

const run = (requests: readonly ReadRequest[]): ProfileReading => ({
  suite: 's',
  name: 'b:model=m',
  mainMetric: 'score',
  requests,
})

describe('two readings of the same replies', () => {
  test('are told apart by the first cause that holds, and the parts add up to the difference', () => {
    const a = run([
      request('same', 1),
      request('worded', 0),
      request('cut', 0),
      request('judged', 2),
      request('scored', 3),
      request('lost', 4),
      request('lost by both', null),
      request('dropped', 5),
    ])
    const b = run([
      request('same', 1),
      request('worded', 1, { request: { ...SENT, prompt: 'q', max_tokens: '9' }, answer: 'other' }),
      request('cut', 1, { answer: 'other', annotations: 'other' }),
      request('judged', 2, { annotations: 'other' }),
      request('scored', 3.5),
      request('lost', null),
      request('lost by both', null),
      request('new', 2),
      request('newer', 0),
    ])
    const compared = compareProfiles(a, b)
    expect(compared.a).toEqual({ requests: 7, mean: 15 / 7 })
    expect(compared.b).toEqual({ requests: 7, mean: 10.5 / 7 })
    expect(compared.difference).toBeCloseTo(-4.5 / 7, 12)
    expect(compared.causes.map(({ cause, requests, changed }) => [cause, requests, changed])).toEqual([
      ['other-questions', 3, 3],
      ['not-measured', 1, 1],
      ['asked-otherwise', 1, 1],
      ['answer-cut', 1, 1],
      ['judged-otherwise', 1, 0],
      ['scored-otherwise', 1, 1],
    ])
    expect(compared.changed).toBe(7)
    expect(compared.askedOtherwise).toEqual(['prompt', 'max_tokens'])
    expect(compared.causes.reduce((sum, { difference }) => sum + difference, 0)).toBeCloseTo(-4.5 / 7, 12)
    // Of the five questions that both measured, one changed by 1.
    expect(compared.causes.find(({ cause }) => cause === 'answer-cut')?.difference).toBeCloseTo(1 / 5, 12)
  })

  test('that share no question differ by their questions alone', () => {
    const compared = compareProfiles(run([request('x', 1)]), run([request('y', 0)]))
    expect(compared.causes).toEqual([{ cause: 'other-questions', requests: 2, changed: 2, difference: -1 }])
    const none = compareProfiles(run([request('x', 1)]), run([]))
    expect(none).toMatchObject({ difference: null, b: { requests: 0, mean: null } })
  })

  test('owe to unanswerable questions what leaving these out changes', () => {
    const a = run([request('x', 1), request('null', 0, { unanswerable: true }), request('y', 0)])
    const compared = compareProfiles(a, run([request('x', 1), request('z', 0)]))
    // 1/3 against 1/2; without the unanswerable one 1/2 against 1/2.
    expect(compared.causes.map(({ cause, requests }) => [cause, requests])).toEqual([
      ['unanswerable', 1],
      ['other-questions', 2],
    ])
    expect(compared.causes.map(({ difference }) => difference)).toEqual([
      expect.closeTo(1 / 6, 12),
      expect.closeTo(0, 12),
    ])
    const both = run([request('x', 1, { unanswerable: true })])
    expect(compareProfiles(both, both).causes).toEqual([])
  })

  test('count a score of 0 that is lost as changed', () => {
    const compared = compareProfiles(
      run([request('x', 0), request('y', 1)]),
      run([request('x', null), request('y', 1)]),
    )
    expect(compared.changed).toBe(1)
  })

  test('tell what was scored lower as what was scored higher', () => {
    const compared = compareProfiles(run([request('x', 1)]), run([request('x', 0.5)]))
    expect(compared.causes).toEqual([
      { cause: 'scored-otherwise', requests: 1, changed: 1, difference: -0.5 },
    ])
  })

  test('are shown as a table, and never as tests', () => {
    const runs = [compareProfiles(run([request('x', 1)]), run([request('x', 0.5, { answer: 'cut' })]))]
    const report = { profiles: ['helm-0.5.16', 'medhelm-0.8'] as const, runs }
    const lines = formatProfiles(report, 'text').split('\n')
    expect(lines[1]).toMatch(/^b:model=m +score +1\.000 +0\.500 +−0\.500 +1 +1$/)
    expect(lines[2]).toMatch(/^ +−0\.500 +answer cut at max_tokens +1 +1$/)
    expect(lines.slice(lines.indexOf('') + 1)).toEqual([expect.stringMatching(/^What the store holds/)])
    expect(JSON.parse(formatProfiles(report, 'json'))).toEqual(report)
    expect(formatProfiles(report, 'markdown')).toMatch(/^\| run/)
    expect(() => formatProfiles(report, 'junit')).toThrow('cli/bad-flag')
  })
})
