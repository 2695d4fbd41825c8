import { expect, test } from 'vitest'
import { familyOf, createRegistry } from '../../../../models/registry/registry.ts'
import { familyReports, type FamilyScores } from '../../../../targets/jury/study/family.ts'
import { judgeAgreements } from '../../../../targets/jury/study/judge-agreement.ts'
import { judgedAnswers } from '../../../../targets/jury/study/judged-answers.ts'

/** Three judges of eight answers: gpt is lenient by one point; each answer has its own level. */
const run = (model: string, benchmark = 'b', kin = 0): FamilyScores => ({
  benchmark,
  model,
  scores: Array.from({ length: 8 }, (_, note) =>
    ['gpt', 'claude', 'llama'].map((judge, place) => ({
      instance: `i${note}`,
      judge,
      score:
        2 +
        (note % 3) / 2 +
        (judge === 'gpt' ? 1 : 0) +
        (judge === 'gpt' && model === 'gpt-4' ? kin : 0) +
        ((note * 3 + place * 2 + model.length) % 4) / 10,
    })),
  ).flat(),
  sources: new Map(),
})

const maker = (name: string): string => (name.startsWith('gpt') ? 'OpenAI' : name)

test('a lenient judge of the family is no self-preference, and the models keep their order', () => {
  const [plain] = familyReports([run('gpt-4'), run('gemini'), run('mistral')], maker)
  expect(plain?.kinship?.interval?.low).toBeLessThan(0)
  expect(plain?.kinship?.interval?.high).toBeGreaterThan(0)
  expect(plain?.judges.find(({ judge }) => judge === 'gpt')?.leniency).toBeGreaterThan(0.5)
  const own = plain?.models.find(({ model }) => model === 'gpt-4')
  expect(own).toMatchObject({ family: 'OpenAI', own: ['gpt'], judgements: 24 })
  // Without its lenient kin the model would seem worse than with all judges.
  expect(own?.withoutOwnFamily).toBeLessThan((own?.all ?? NaN) - 0.2)
  expect(own?.adjusted).toBeCloseTo(own?.all ?? NaN, 1)
  const [fond] = familyReports([run('gpt-4', 'b', 0.5), run('gemini'), run('mistral')], maker)
  expect(fond?.kinship?.delta).toBeCloseTo((plain?.kinship?.delta ?? NaN) + 0.5, 9)
})

test('benchmarks are compared each on its own', () => {
  const found = familyReports([run('gpt-4'), run('gemini'), run('gpt-4', 'c')], maker)
  expect(found.map(({ benchmark, models }) => [benchmark, models.length])).toEqual([
    ['b', 2],
    ['c', 1],
  ])
  // One model alone cannot tell kinship from leniency.
  expect(found[1]?.kinship).toBeNull()
})

test('judges agree pair by pair and all together, and say how many of them a score takes', () => {
  const [found] = judgeAgreements([run('gpt-4'), run('gemini')])
  expect(found).toMatchObject({ benchmark: 'b', answers: 16, complete: 16 })
  expect(found?.pairs.map(({ judges }) => judges.join())).toEqual(['claude,gpt', 'claude,llama', 'gpt,llama'])
  expect(found?.alphaInterval?.low).toBeLessThan(found?.alpha ?? NaN)
  expect(found?.study?.components.judge).toBeGreaterThan(0.2)
  expect(found?.study?.judgesNeeded).toBeGreaterThan(0)
  const [none] = judgeAgreements([{ benchmark: 'b', model: 'm', scores: [], sources: new Map() }])
  expect(none).toMatchObject({ answers: 0, alpha: null, alphaInterval: null, study: null })
})

test('answers of two runs to one question are two answers', () => {
  const [found] = judgeAgreements([run('gemini'), run('gemini')])
  expect(found).toMatchObject({ answers: 16, complete: 16 })
  const again = run('gemini').scores.map((each) => ({ ...each, score: 5 - each.score }))
  const [apart] = judgeAgreements([run('gemini'), { ...run('gemini'), scores: again }])
  expect(apart?.alpha).not.toBeCloseTo(found?.alpha ?? NaN, 3)
})

test('models of equal means stand by name, whatever the order of their runs', () => {
  const same = ['y', 'x', 'z'].map((model) => ({ ...run('gemini'), model }))
  const names = familyReports(same, maker).flatMap(({ models }) => models.map(({ model }) => model))
  expect(names).toEqual(['x', 'y', 'z'])
  const scores = run('gemini').scores.map((each) => ({ ...each, score: each.score + 1 }))
  const [best] = familyReports([...same, { ...run('gemini'), model: 'zz', scores }], maker)
  expect(best?.models.map(({ model }) => model)).toEqual(['zz', 'x', 'y', 'z'])
})

test('two answers that two judges scored are enough for the components of variance, one is not', () => {
  const of = (scores: readonly (readonly [string, string, number])[]) =>
    judgeAgreements([
      {
        benchmark: 'b',
        model: 'm',
        scores: scores.map(([instance, judge, score]) => ({ instance, judge, score })),
        sources: new Map(),
      },
    ])[0]
  // Answers 1, 2 and 4, 5: mean squares 9, 1 and 0, so that an answer's variance is 9/2 and a judge's 1/2.
  const two = of([
    ['a', 'p', 1],
    ['a', 'q', 2],
    ['b', 'p', 4],
    ['b', 'q', 5],
    ['c', 'p', 3],
  ])
  expect(two).toMatchObject({ answers: 3, complete: 2 })
  expect(two?.study?.components.answer).toBeCloseTo(4.5, 12)
  expect(two?.study?.components.judge).toBeCloseTo(0.5, 12)
  expect(two?.pairs).toEqual([{ judges: ['p', 'q'], common: 2, icc: expect.closeTo(1, 12) }])
  const one = of([
    ['a', 'p', 1],
    ['a', 'q', 2],
    ['b', 'p', 4],
  ])
  expect(one).toMatchObject({ answers: 2, complete: 1, study: null })
})

test('a family is the maker that the registry names; models of unknown makers are no kin', () => {
  const model = { displayName: '', description: '', access: 'open', tags: [] } as const
  const registry = createRegistry(
    [
      { ...model, name: 'a/one', creatorOrganization: 'A' },
      { ...model, name: 'b/two', creatorOrganization: 'A' },
      { ...model, name: 'c/three', creatorOrganization: 'Unknown' },
    ],
    [],
  )
  expect(['a/one', 'b/two', 'c/three', 'd/four'].map((name) => familyOf(name, registry))).toEqual([
    { name: 'A', known: true },
    { name: 'A', known: true },
    { name: 'c/three', known: false },
    { name: 'd/four', known: false },
  ])
})

test('two notes of one patient are one piece of evidence of kinship', () => {
  const twice = (model: string, sources: boolean): FamilyScores => {
    const once = run(model, 'b', 0.5)
    const again = once.scores.map((each) => ({ ...each, instance: `again ${each.instance}` }))
    const patients = [...once.scores, ...again].map(({ instance }) => [instance, instance.slice(-2)] as const)
    return { ...once, scores: [...once.scores, ...again], sources: new Map(sources ? patients : []) }
  }
  const width = (sources: boolean): number => {
    const models = ['gpt-4', 'gemini', 'mistral'].map((model) => twice(model, sources))
    const { low = NaN, high = NaN } = familyReports(models, maker)[0]?.kinship?.interval ?? {}
    return high - low
  }
  expect(width(true)).toBeGreaterThan(1.2 * width(false))
})

test('a model that the lenient judge alone read stands where it would if all had', () => {
  const all = run('gemini')
  const alone = {
    ...all,
    model: 'mistral',
    scores: all.scores
      .filter(({ judge }) => judge === 'gpt')
      .map((each) => ({ ...each, score: each.score - 0.4 })),
  }
  const [found] = familyReports([alone, all], maker)
  const [first, second] = found?.models ?? []
  expect([first?.model, second?.model]).toEqual(['gemini', 'mistral'])
  expect(second?.all).toBeGreaterThan(first?.all ?? NaN)
})

test('judges are called enough from a reliability of 0.8 on, and one judge alone tells none', () => {
  const scored = (answers: readonly (readonly number[])[]) =>
    judgeAgreements([
      {
        benchmark: 'b',
        model: 'm',
        scores: answers.flatMap((row, at) =>
          row.map((score, judge) => ({ instance: `i${at}`, judge: `j${judge}`, score })),
        ),
        sources: new Map(),
      },
    ])[0]?.study
  // Mean squares 3 of answers and 14/15 beside: 31/30 of an answer, 14/15 of its judge. 4 · (14/15) / (31/30) = 3.6 judges.
  const [mean, half] = [Math.sqrt(9 / 8), Math.sqrt(1.4) / 2]
  const study = scored([-1, 1].flatMap((m) => [-1, 1].map((d) => [m * mean + d * half, m * mean - d * half])))
  expect(study?.components.answer).toBeCloseTo(31 / 30, 12)
  expect(study?.components.answerJudge).toBeCloseTo(14 / 15, 12)
  expect(study?.judgesNeeded).toBe(4)
  expect(scored([[1], [2], [3]])).toBeNull()
})

test('answers of several trials are answers of their own, to one question', () => {
  const once = [run('gpt-4', 'b', 0.5), run('gemini')]
  const twice = once.map((own): FamilyScores => ({
    ...own,
    scores: [
      ...own.scores,
      ...own.scores.map((score) => ({ ...score, trial: 1, score: score.score - 0.25 })),
    ],
  }))
  const [first] = familyReports(once, maker)
  const [both] = familyReports(twice, maker)
  expect(both?.models.map(({ judgements }) => judgements)).toEqual([48, 48])
  expect(both?.models.map(({ all }) => all)).toEqual(
    first?.models.map(({ all }) => expect.closeTo(all - 0.125, 12)),
  )
  // A second answer that says the same is no further evidence.
  expect(both?.kinship?.delta).toBeCloseTo(first?.kinship?.delta ?? NaN, 12)
  expect(both?.kinship?.standardError).toBeCloseTo(first?.kinship?.standardError ?? NaN, 12)
  const turned = twice.map((own) => ({ ...own, scores: own.scores.toReversed() })).toReversed()
  const order = (runs: readonly FamilyScores[]) =>
    judgedAnswers(runs).map(({ instance, model, trial }) => [instance, model, trial])
  expect(order(turned)).toEqual(order(twice))
  const [agreement] = judgeAgreements(twice)
  expect(agreement).toMatchObject({ answers: 32, complete: 32 })
})
