import { describe, expect, it } from 'vitest'
import { judgesReports, type ReportedScores } from '../../../../targets/jury/study/judges-report.ts'

/** Judge c gives a point more; judge a another point to models of its maker. */
const scoreOf = (judge: string, model: string, at: number): number =>
  1 +
  (at % 3) +
  (judge === 'c' ? 1 : 0) +
  (judge === 'a' && model === 'own/x' ? 1 : 0) +
  (at % 7 === model.length % 7 && judge === 'b' ? 0.5 : 0)

const runOf = (model: string, isShown = true): ReportedScores => ({
  benchmark: 'notes',
  model,
  scores: Array.from({ length: 42 }, (_, at) =>
    ['a', 'b', 'c'].map((judge) => ({ instance: `n${at}`, judge, score: scoreOf(judge, model, at) })),
  ).flat(),
  sources: new Map(),
  isShown,
})
const familyOf = (name: string): string => (name === 'a' || name === 'own/x' ? 'Own' : name)

describe('the report on a benchmark’s judges', () => {
  const [report] = judgesReports([runOf('own/x'), runOf('other/y')], familyOf)

  it('tells the lenient judge by a mean difference with an interval over instances', () => {
    const lenient = report?.judges.find(({ judge }) => judge === 'c')?.leniency
    // Mean of a: 0.5 above the base, of b: 0.0714, of c: 1.
    expect(lenient?.value).toBeCloseTo(1 - (0.5 + 0.5 / 7 + 1) / 3, 10)
    expect(lenient?.interval?.low).toBeGreaterThan(0)
    expect(report?.judges.reduce((sum, { leniency }) => sum + (leniency?.value ?? NaN), 0)).toBeCloseTo(0, 10)
  })

  it('tells preference for its own family apart from leniency, adjusted over all families', () => {
    const [own] = report?.kinship ?? []
    expect(own?.family).toBe('Own')
    expect(own?.found?.delta).toBeCloseTo(1, 1)
    expect(own?.holm).toBeLessThan(0.05)
  })

  it('adjusts what was tested, whatever could not be on benchmarks before it', () => {
    const own = runOf('own/x')
    const alone = { ...own, benchmark: 'alone', scores: own.scores.filter(({ judge }) => judge === 'a') }
    const [first, second] = judgesReports([alone, own, runOf('other/y')], familyOf)
    expect(first?.kinship).toEqual([{ family: 'Own', found: null, holm: null }])
    expect(second?.kinship[0]?.holm).toBe(second?.kinship[0]?.found?.p)
  })

  it('adjusts over the families of all benchmarks together', () => {
    const again = [runOf('own/x'), runOf('other/y')].map((run) => ({ ...run, benchmark: 'again' }))
    const found = judgesReports([runOf('own/x'), runOf('other/y'), ...again], familyOf)
    const p = report?.kinship[0]?.found?.p ?? NaN
    // Holm: two alike are twice as likely to come by chance.
    expect(found.map(({ kinship }) => kinship[0]?.holm)).toEqual([2 * p, 2 * p])
  })

  it('counts two who are a point apart as within one, also where their criteria give thirds', () => {
    const scores = [4, 5, 11].flatMap((sum, at) => [
      { instance: `n${at}`, judge: 'a', score: sum / 3 },
      { instance: `n${at}`, judge: 'b', score: (sum + (at === 1 ? 4 : 3)) / 3 },
    ])
    const [found] = judgesReports([{ ...runOf('own/x'), scores }], familyOf)
    expect(7 / 3 - 4 / 3).toBeGreaterThan(1)
    expect(found?.pairs[0]).toMatchObject({ answers: 3, within: 2 / 3 })
  })

  it('says of two judges who read no answer together what can be stored', () => {
    const { scores, ...run } = runOf('own/x')
    const apart = scores.filter(({ instance, judge }) => judge === 'c' || (judge === 'a') === instance < 'n3')
    const [found] = judgesReports([{ ...run, scores: apart }], familyOf)
    expect(found?.pairs[0]).toEqual({ judges: ['a', 'b'], answers: 0, alpha: null, within: 0 })
  })

  it('lists eight answers at most', () => {
    expect(report?.split).toHaveLength(8)
  })

  it('has α for all and for each two, and is the same in whatever order runs come', () => {
    expect(report?.pairs.map(({ judges }) => judges.join(' '))).toEqual(['a b', 'a c', 'b c'])
    for (const { alpha } of report?.pairs ?? []) {
      expect(alpha?.interval?.low).toBeLessThan(alpha?.value ?? -1)
      expect(alpha?.interval?.high).toBeGreaterThan(alpha?.value ?? 1)
    }
    expect(judgesReports([runOf('other/y'), runOf('own/x')], familyOf)).toEqual([report])
  })

  it('names answers that judges are split on, but none of a benchmark that is not public', () => {
    expect(report?.split[0]?.scores.map(({ judge }) => judge)).toEqual(['a', 'b', 'c'])
    expect(judgesReports([runOf('own/x', false), runOf('other/y')], familyOf)[0]?.split).toEqual([])
  })
})

/** Scores by instance: of judges a, b and c, null where one gave none. */
const judged = (
  model: string,
  scores: Readonly<Record<string, readonly (number | null)[]>>,
  { benchmark = 'notes', isShown = true } = {},
): ReportedScores => ({
  benchmark,
  model,
  scores: Object.entries(scores).flatMap(([instance, own]) =>
    own.flatMap((score, at) => (score === null ? [] : [{ instance, judge: 'abc'.charAt(at), score }])),
  ),
  sources: new Map(),
  isShown,
})

describe('the instances that judges are divided on', () => {
  const dividedOf = (...runs: readonly ReportedScores[]) => judgesReports(runs, familyOf)[0]?.divided

  it('go by the highest less the lowest judge, on average over all models’ answers', () => {
    const x = judged('m/x', { n1: [1, 2, 5], n2: [3, 3, 4], n3: [2, 2, 2] })
    const y = judged('m/y', { n1: [4, 4, 4], n2: [1, 5, 2], n3: [3, 3, 3] })
    expect(dividedOf(x, y)).toEqual([
      { instance: 'n2', model: 'm/x', answers: 2, spread: 2.5 },
      { instance: 'n1', model: 'm/x', answers: 2, spread: 2 },
    ])
    expect(dividedOf(y, x)).toEqual(dividedOf(x, y))
  })

  it('count only answers that two judges read, and name one of them', () => {
    const x = judged('m/x', { n1: [5, null, null], n2: [null, 1, null], n3: [1, null, 2] })
    const y = judged('m/y', { n1: [1, 4, null], n2: [null, null, 5] })
    expect(dividedOf(x, y)).toEqual([
      { instance: 'n1', model: 'm/y', answers: 1, spread: 3 },
      { instance: 'n3', model: 'm/x', answers: 1, spread: 1 },
    ])
    expect(dividedOf(judged('m/x', { n1: [1, null, null], n2: [5, null, null] }))).toEqual([])
  })

  it('of one spread stand in the order of their names, ten at most, whatever the order of the runs', () => {
    const names = Array.from({ length: 12 }, (_, at) => `n${String(at).padStart(2, '0')}`)
    const forth = judged('m/x', Object.fromEntries(names.map((name) => [name, [1, 2]])))
    const back = judged('m/x', Object.fromEntries(names.toReversed().map((name) => [name, [2, 1]])))
    expect(dividedOf(forth)?.map(({ instance }) => instance)).toEqual(names.slice(0, 10))
    expect(dividedOf(back)).toEqual(dividedOf(forth))
  })

  it('are withheld of a benchmark with any run that is not public, and of no other', () => {
    const own = { n1: [1, 5] }
    const reports = judgesReports(
      [
        judged('m/x', own),
        judged('m/y', own, { isShown: false }),
        judged('m/x', own, { benchmark: 'public' }),
      ],
      familyOf,
    )
    expect(reports.map(({ benchmark, split, divided }) => [benchmark, split.length, divided.length])).toEqual(
      [
        ['notes', 0, 0],
        ['public', 1, 1],
      ],
    )
  })
})
