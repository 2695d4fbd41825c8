import { expect, test } from 'vitest'
import type { GStudy } from '../../../targets/statistics/judges/g-study.ts'
import { judgeAgreementText, studyLines } from '../../../tools/jury/format-judge-agreement.ts'

const study = (judgesNeeded: number | null, repeat: number | null = null): GStudy => {
  const components = { answer: 0.5, judge: 0.25, answerJudge: 0.125, repeat }
  return {
    raw: components,
    components,
    dStudy: [
      { judges: 3, repeats: 2, relative: 0.11, absolute: 0.12 },
      { judges: 5, repeats: 1, relative: 0.13, absolute: 0.14 },
      { judges: 3, repeats: 1, relative: 0.75, absolute: null },
    ],
    judgesNeeded,
  }
}

test('A study tells how reliable three judges are who are asked once, and how many it takes.', () => {
  const [variance, reliability] = studyLines(study(1), '4 answers')
  expect(variance).toMatch(/^ {2}variance over 4 answers: answers 0\.5\d*, judges' leniency 0\.25/)
  expect(variance).toMatch(/judges' tastes 0\.125?0?, chance included$/)
  expect(reliability).toMatch(/asked once: 0\.75\d* for ranks, undetermined for scores; 0\.8 takes 1 judge$/)
  expect(studyLines(study(7), '4 answers')[1]).toMatch(/0\.8 takes 7 judges$/)
  expect(studyLines(study(null), '4 answers')[1]).toMatch(/no 100 judges reach 0\.8$/)
})

test('Chance is told apart from tastes where judges were asked again.', () => {
  const [variance] = studyLines(study(1, 0.0625), '4 answers')
  expect(variance).toMatch(/tastes 0\.125?0?, chance 0\.063$/)
})

test('An agreement has its interval, or why there is none, and pairs that do not spread say so.', () => {
  const agreement = {
    benchmark: 'notes',
    answers: 9,
    alpha: 0.5,
    alphaInterval: { low: 0.25, high: 0.75 },
    pairs: [
      { judges: ['a', 'b'], common: 8, icc: 0.875 },
      { judges: ['a', 'c'], common: 7, icc: null },
    ],
    complete: 6,
    study: study(2),
  } as const
  const text = judgeAgreementText(agreement)
  expect(text).toMatch(
    /^notes: 9 answers\n {2}Krippendorff's alpha 0\.5\d* \(0\.25\d*, 0\.75\d*, over sources\)$/m,
  )
  expect(text).toMatch(/^ +a, b +8 +0\.875$/m)
  expect(text).toMatch(/^ +a, c +7 +no spread$/m)
  expect(text).toContain('variance over 6 answers with all judges')
  expect(judgeAgreementText({ ...agreement, alphaInterval: null })).toMatch(/alpha 0\.5\d* \(no interval: /)
  const none = judgeAgreementText({ ...agreement, alpha: null, alphaInterval: null, study: null })
  expect(none).toMatch(/alpha undetermined$/m)
  expect(none).toContain('no variance components: fewer than two answers have all judges')
})
