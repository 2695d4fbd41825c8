import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import {
  InstanceProblem,
  flag,
  share,
  floatScore,
  intScore,
  type Score,
  firstCompletion,
  type MetricPoint,
  floatPoint,
  point,
} from '../metric.ts'
import type { Measure } from '../../../benchmarks/scenario/metric-code.ts'
import {
  f1Score,
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
import { rouge } from '../text/rouge.ts'
import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import { isCorrect } from '../../../benchmarks/scenario/instance.ts'
import { strip } from '../../../benchmarks/python/text.ts'
import type { RequestState } from '../../record/request-state.ts'
import { mapAnswer } from './map-answer.ts'

/**
 * Compares a right answer with a given one. All are 0–1, higher is better.
 * An undefined answer is a letter that no option has.
 */
type ReferenceScore = (gold: string, answer: string | undefined) => Score

const matching =
  (match: StringMatch): ReferenceScore =>
  (gold, answer) =>
    intScore(match(gold, answer))

const comparing =
  (compare: (gold: string, answer: string) => Score): ReferenceScore =>
  (gold, answer) => {
    if (answer === undefined)
      throw new InstanceProblem({
        code: 'targets/answer-without-option',
        message: 'an answer names no option, so its words cannot be compared with the reference',
        remedy: 'Use the exact match metrics for multiple choice: they count such an answer as wrong.',
      })
    return compare(gold, answer)
  }

/** HELM's scores of shared n-grams; no benchmark of MedHELM asks for them. */
export const NOT_COMPUTED: readonly string[] = ['bleu_1', 'bleu_4']

const rougeL = (gold: string, answer: string): Score => {
  const { rougeL, empty } = rouge(gold, answer)
  return empty ? intScore(0) : floatScore(rougeL.f1)
}

interface Described {
  readonly measure: Measure
  readonly score: ReferenceScore
}

const match = (
  name: string,
  about: Pick<Measure, 'displayName' | 'description'> & Partial<Measure>,
  score: StringMatch,
): Described => ({ measure: flag(name, { better: 'higher', ...about }), score: matching(score) })

/** Measures that HELM's schemas lack. */
const overlap = (name: string, displayName: string, of: string, score: ReferenceScore): Described => ({
  measure: share(name, {
    better: 'higher',
    unlisted: true,
    ofTexts: true,
    displayName,
    description: `F-measure of the ${of} that the answer shares with a right reference.`,
  }),
  score,
})

/** The names that a run spec may list, as HELM has them (HELM.md T16), but for BLEU and its data files. */
const DESCRIBED: readonly Described[] = [
  match(
    'exact_match',
    {
      displayName: 'Exact match',
      shortDisplayName: 'EM',
      description: 'Share of answers that equal a right reference but for blanks around them.',
      group: 'accuracy',
    },
    exactMatch,
  ),
  match(
    'quasi_exact_match',
    {
      displayName: 'Quasi-exact match',
      shortDisplayName: 'QEM',
      description:
        'Share of answers that equal a right reference but for case, punctuation, articles and blanks.',
      standIn: 'exact_match',
    },
    quasiExactMatch,
  ),
  match(
    'prefix_exact_match',
    {
      displayName: 'Prefix match',
      shortDisplayName: 'PEM',
      description: 'Share of answers that begin with a right reference.',
    },
    prefixExactMatch,
  ),
  match(
    'quasi_prefix_exact_match',
    {
      displayName: 'Quasi-prefix match',
      shortDisplayName: 'QPEM',
      description:
        'Share of answers that begin with a right reference, but for case, punctuation, articles and blanks.',
    },
    quasiPrefixExactMatch,
  ),
  match(
    'quasi_leave_articles_exact_match',
    {
      unlisted: true,
      displayName: 'Quasi-exact match with articles',
      description: 'Share of answers that equal a right reference but for case, punctuation and blanks.',
    },
    quasiLeaveArticlesExactMatch,
  ),
  match(
    'exact_match_indicator',
    {
      unlisted: true,
      displayName: 'Same last word',
      description: 'Share of answers whose last word is that of a right reference.',
    },
    exactMatchIndicator,
  ),
  match(
    'final_number_exact_match',
    {
      unlisted: true,
      displayName: 'Same last number',
      description: 'Share of answers whose last number is that of a right reference.',
    },
    finalNumberExactMatch,
  ),
  overlap('f1_score', 'F1 of words', 'words', comparing(f1Score)),
  overlap(
    'rouge_1',
    'ROUGE-1',
    'words',
    comparing((gold, answer) => floatScore(rouge(gold, answer).rouge1.f1)),
  ),
  overlap(
    'rouge_2',
    'ROUGE-2',
    'pairs of words',
    comparing((gold, answer) => floatScore(rouge(gold, answer).rouge2.f1)),
  ),
  overlap('rouge_l', 'ROUGE-L', 'longest common sequence of words', comparing(rougeL)),
]

const SCORES: ReadonlyMap<string, ReferenceScore> = new Map(
  DESCRIBED.map(({ measure, score }) => [measure.name, score]),
)

/** Scores of names with `@k` are of the best of k completions. */
export const REFERENCE_MEASURES: readonly Measure[] = DESCRIBED.map(({ measure }) => measure)

/** Names of HELM's exact match metrics, in its order (HELM.md B8). */
export const MATCHES: readonly string[] = REFERENCE_MEASURES.filter(({ unlisted }) => unlisted !== true).map(
  ({ name }) => name,
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
  if (NOT_COMPUTED.includes(name))
    throw new ProblemError({
      code: 'targets/metric-not-computed',
      message: `${name} is not computed: HELM splits sentences for it by a model that NLTK ships apart, under terms unclear`,
      where: { field: 'names' },
      remedy: `Take ${REFERENCE_MEASURES.filter(({ unit }) => unit === 'share')
        .map(({ name }) => name)
        .join(', ')} instead.`,
    })
  throw new ProblemError({
    code: 'targets/unknown-metric-name',
    message: `there is no metric ${JSON.stringify(name)} that compares an answer with a reference`,
    where: { field: 'names' },
    remedy: `${suggestion(name, SCORES.keys())}Known are ${[...SCORES.keys()].join(', ')}.`,
  })
}

const noCorrectReference = (id: string | number): InstanceProblem =>
  new InstanceProblem({
    code: 'targets/no-correct-reference',
    message: `instance ${JSON.stringify(id)} has references, but none is marked as correct`,
    remedy: 'Mark the right answer in the data, or give the instance no reference at all.',
  })

export const CONFIDENCE = share('max_prob', {
  better: 'higher',
  displayName: 'Confidence',
  description:
    'Probability that the model gave to its likeliest answer; mean over instances with references.',
  group: 'calibration_detailed',
  unlisted: true,
})

/** The first of the largest, as Python's max: an int 0 before a float 0 stays an int. */
const largest = (scores: readonly Score[]): Score =>
  scores.reduce((best, score) => (score.value > best.value ? score : best))

/**
 * Scores of a request state against its correct references (HELM.md T16), each name's best over the references:
 * first of the likeliest completion, then, as `name@k`, of all, when `k` completions were to be asked for.
 * `max_prob`, the probability of the likeliest completion, goes first.
 * @throws InstanceProblem without a correct reference or a completion; ProblemError for an unknown name
 */
export const referencePoints = (
  state: RequestState,
  names: readonly string[],
  adapter: AdapterSpec,
  corrected?: readonly string[],
): readonly MetricPoint[] => {
  const golds = state.instance.references.filter(isCorrect).map(({ text }) => text)
  if (golds.length === 0) throw noCorrectReference(state.instance.id)
  const completions = (state.result?.completions ?? []).toSorted((a, b) => b.logprob - a.logprob)
  const likeliest = completions[0] ?? firstCompletion(state)
  const options = state.outputMapping
  const answers = completions.map(({ text }) =>
    options === undefined ? strip(text) : mapAnswer(strip(text), options, adapter.outputMappingPattern),
  )

  const points = [floatPoint(CONFIDENCE.name, Math.exp(likeliest.logprob))]
  for (const name of names) {
    const score = referenceScore(name, corrected)
    points.push(point(name, largest(golds.map((gold) => score(gold, answers[0])))))
    if (adapter.numOutputs === 1) continue
    const all = golds.flatMap((gold) => answers.map((answer) => score(gold, answer)))
    points.push(point(`${name}@${adapter.numOutputs}`, largest(all)))
  }
  return points
}
