import { describe, expect, test } from 'vitest'
import { loads } from '../../../benchmarks/python/json.ts'
import { absent, done, failed } from '../../../cache/problems/problem.ts'
import { readJudgement, type JudgementReading } from '../../../targets/jury/stored-judgements.ts'
import { strictPoints } from '../../../targets/metrics/llm-jury.ts'
import { dialectOf, type Profile } from '../../../targets/profile.ts'

const jury = { scale: { least: 1, most: 5 } }

const read = (json: string, profile: Profile = 'helm-0.5.16'): JudgementReading | undefined =>
  readJudgement({ outcome: done(loads(json)), replied: true }, jury, dialectOf(profile))

const scores = (...values: number[]): JudgementReading => ({ kind: 'scores', scores: values })
const lost = (cause: Extract<JudgementReading, { kind: 'failed' }>['cause']): JudgementReading => ({
  kind: 'failed',
  cause,
})

describe('a judgement', () => {
  test('counts with scores on the scale, ends included', () => {
    expect(read('{"a": {"score": 1}, "b": {"score": 5}}')).toEqual(scores(1, 5))
  })

  test.each(['{"a": {"score": 0}}', '{"a": {"score": 6}}', '{"a": {"score": 3}, "extra": {"score": 11}}'])(
    'is out of range where a score of %s is',
    (json) => {
      expect(read(json)).toEqual(lost('judge-out-of-range'))
    },
  )

  test('is read as the profile reads it before it is held to the scale', () => {
    expect(read('{"a": {"score": 5.5}}')).toEqual(scores(5))
    expect(read('{"a": {"score": 5.5}}', 'medhelm-0.8')).toEqual(lost('judge-out-of-range'))
  })

  test.each(['{"a": {"score": null}}', '{"a": {"score": [4]}}', '[4]', '{"a": {}}'])(
    'can not be read as %s',
    (json) => {
      expect(read(json)).toEqual(lost('judge-unparseable'))
    },
  )

  test('is missing without a reply, and nothing where nobody was asked', () => {
    const outcome = failed('http/500', 'status 500')
    const dialect = dialectOf('helm-0.5.16')
    expect(readJudgement({ outcome, replied: false }, jury, dialect)).toEqual(lost('judge-missing'))
    expect(readJudgement({ outcome, replied: true }, jury, dialect)).toEqual(lost('judge-unparseable'))
    expect(readJudgement({ outcome: absent('empty'), replied: false }, jury, dialect)).toBeUndefined()
  })
})

describe('jury_score_strict', () => {
  const points = (...judges: JudgementReading[]): Readonly<Record<string, number | null>> =>
    Object.fromEntries(strictPoints(judges).map(({ name, value }) => [name, value]))

  test('is the mean over all scores of the judges that count', () => {
    expect(points(scores(4, 5), lost('judge-missing'), scores(1, 2))).toEqual({
      jury_score_strict: 3,
      jury_coverage: 2 / 3,
    })
  })

  test('is left to HealthBench’s own score, which is strict itself', () => {
    const named = (style: 'health-bench' | 'medhelm-0.8') =>
      strictPoints([scores(4)], { style }).map(({ name }) => name)
    expect(named('health-bench')).toEqual(['jury_coverage'])
    expect(named('medhelm-0.8')).toEqual(['jury_score_strict', 'jury_coverage'])
  })

  test('has no value where no judge counts: failed judges are no score', () => {
    expect(points(lost('judge-unparseable'), lost('judge-out-of-range'))).toEqual({ jury_coverage: 0 })
    expect(points()).toEqual({})
  })
})
