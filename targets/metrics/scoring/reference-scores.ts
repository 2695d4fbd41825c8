import { suggestion } from '../../../cache/did-you-mean.ts'
import { ProblemError } from '../../../cache/problem.ts'
import { InstanceProblem } from '../instance-problem.ts'
import type { Measure } from '../../../benchmarks/scenario/measure.ts'
import { flags, shares } from '../measure.ts'
import { f1Score } from '../text/f1-score.ts'
import { floatScore, intScore, type Score } from './points.ts'
import { rouge } from '../text/rouge.ts'
import {
  exactMatch,
  exactMatchIndicator,
  finalNumberExactMatch,
  prefixExactMatch,
  quasiExactMatch,
  quasiLeaveArticlesExactMatch,
  quasiPrefixExactMatch,
  quasiPrefixOrLetterMatch,
  type StringMatch,
} from '../text/string-match.ts'

/**
 * Compares a right answer with a given one. All are 0–1, higher is better.
 * An undefined answer is a letter that no option has.
 */
export type ReferenceScore = (gold: string, answer: string | undefined) => Score

const matching =
  (match: StringMatch): ReferenceScore =>
  (gold, answer) =>
    intScore(match(gold, answer))

const comparing =
  (compare: (gold: string, answer: string) => Score): ReferenceScore =>
  (gold, answer) => {
    if (answer === undefined) {
      throw new InstanceProblem({
        code: 'targets/answer-without-option',
        message: 'an answer names no option, so its words cannot be compared with the reference',
        remedy: 'Use the exact match metrics for multiple choice: they count such an answer as wrong.',
      })
    }
    return compare(gold, answer)
  }

/** HELM's scores of shared n-grams; no benchmark of MedHELM asks for them. */
const BLEU: ReadonlySet<string> = new Set(['bleu_1', 'bleu_4'])

/** The others are 0 or 1. */
const FRACTIONS: ReadonlySet<string> = new Set(['f1_score', 'rouge_1', 'rouge_2', 'rouge_l'])

const rougeL = (gold: string, answer: string): Score => {
  const { rougeL, empty } = rouge(gold, answer)
  return empty ? intScore(0) : floatScore(rougeL.f1)
}

/** The names that a run spec may list, as HELM has them (HELM.md T16), but for BLEU and its data files. */
const SCORES: ReadonlyMap<string, ReferenceScore> = new Map([
  ['exact_match', matching(exactMatch)],
  ['quasi_exact_match', matching(quasiExactMatch)],
  ['prefix_exact_match', matching(prefixExactMatch)],
  ['quasi_prefix_exact_match', matching(quasiPrefixExactMatch)],
  ['quasi_leave_articles_exact_match', matching(quasiLeaveArticlesExactMatch)],
  ['exact_match_indicator', matching(exactMatchIndicator)],
  ['final_number_exact_match', matching(finalNumberExactMatch)],
  ['f1_score', comparing(f1Score)],
  ['rouge_1', comparing((gold, answer) => floatScore(rouge(gold, answer).rouge1.f1))],
  ['rouge_2', comparing((gold, answer) => floatScore(rouge(gold, answer).rouge2.f1))],
  ['rouge_l', comparing(rougeL)],
])

/** Scores of names with `@k` are of the best of k completions. */
export const REFERENCE_MEASURES: readonly Measure[] = [...SCORES.keys()].flatMap((name) =>
  (FRACTIONS.has(name) ? shares : flags)([name], { better: 'higher' }),
)

/** Erratum of benchmarks whose options are bare letters: every answer begins with the A that normalises to nothing. */
export const QUASI_PREFIX_OF_A = 'quasi-prefix-match-of-a'

/** The score of that name; `corrected` names errata to put right. @throws ProblemError `targets/unknown-metric-name`, `targets/metric-not-computed` */
export const referenceScore = (name: string, corrected: readonly string[] = []): ReferenceScore => {
  const score =
    name === 'quasi_prefix_exact_match' && corrected.includes(QUASI_PREFIX_OF_A)
      ? matching(quasiPrefixOrLetterMatch)
      : SCORES.get(name)
  if (score !== undefined) return score
  if (BLEU.has(name))
    throw new ProblemError({
      code: 'targets/metric-not-computed',
      message: `${name} is not computed: HELM splits sentences for it by a model that NLTK ships apart, under terms unclear`,
      where: { field: 'names' },
      remedy: `Take ${[...FRACTIONS].join(', ')} instead.`,
    })
  throw new ProblemError({
    code: 'targets/unknown-metric-name',
    message: `there is no metric ${JSON.stringify(name)} that compares an answer with a reference`,
    where: { field: 'names' },
    remedy: `${suggestion(name, SCORES.keys())}Known are ${[...SCORES.keys()].join(', ')}.`,
  })
}
