import { studentUpper } from '../distributions/student-t.ts'
import { NO_SPREAD } from '../paired/contrast.ts'
import { clusterRobust } from '../paired/cluster-robust.ts'
import { TIE, type RatedAnswers } from './rated-answers.ts'

/** How near an annotator's score comes to the others'. `accuracy`: share of them that gave the same. */
export type Nearness = 'neg_rmse' | 'accuracy'

interface AnnotatorTestOptions {
  /** What an annotator must be better by for the jury not to take his place: 0.2 for experts. */
  readonly epsilon: number
  readonly score: Nearness
  /** False discovery rate of Benjamini and Yekutieli. */
  readonly q: number
  /** Fewest answers of a rater, each scored by another and by the jury, that the test is made on. */
  readonly least: number
}

interface ReplacedRater {
  /** Answers that another rater and the jury scored, too. */
  readonly n: number
  /** Of "the rater is better than the jury by ε or more"; null under the fewest answers, and for those of one source. */
  readonly p: number | null
  /** Share of those answers on which the jury is as near to the other raters, or nearer. */
  readonly advantage: number | null
  /** Whether the jury may take the rater's place. */
  readonly rejected: boolean
}

/** All null where no rater has answers enough. */
interface AnnotatorTest {
  /** By row. */
  readonly raters: readonly ReplacedRater[]
  /** Share of the tested raters whose place the jury may take. */
  readonly winningRate: number | null
  readonly advantage: number | null
  /** Whether that holds for half of the raters or more. */
  readonly passes: boolean | null
}

export const ANNOTATOR_TEST: AnnotatorTestOptions = { epsilon: 0.2, score: 'neg_rmse', q: 0.05, least: 30 }

/** The alternative annotator test of Calderon, Reichart and Dror (2025): can the jury take a clinician's place? */
export const alternativeAnnotatorTest = (
  rated: RatedAnswers,
  options: AnnotatorTestOptions,
): AnnotatorTest => {
  const compared = rated.scores.map((_, rater) => comparisons(rated, rater, options.score))
  const tested = compared.map((answers) =>
    answers.length < options.least || sourcesOf(answers) === 1 ? null : answers,
  )
  const ps = tested.map((answers) => (answers === null ? null : pValue(answers, options.epsilon)))
  const rejected = benjaminiYekutieli(
    ps.filter((p) => p !== null),
    options.q,
  )
  const raters = compared.map(({ length: n }, rater): ReplacedRater => {
    const answers = tested[rater] ?? null
    const p = ps[rater] ?? null
    return {
      n,
      p,
      advantage:
        answers === null ? null : answers.filter(({ isJuryAsNear }) => isJuryAsNear).length / answers.length,
      rejected: p !== null && p <= rejected,
    }
  })
  const known = raters.flatMap(({ advantage, rejected: isRejected }) =>
    advantage === null ? [] : [{ advantage, isRejected }],
  )
  if (known.length === 0) return { raters, winningRate: null, advantage: null, passes: null }
  const winningRate = known.filter(({ isRejected }) => isRejected).length / known.length
  const advantage = known.reduce((sum, each) => sum + each.advantage, 0) / known.length
  return { raters, winningRate, advantage, passes: winningRate >= 0.5 }
}

interface Comparison {
  readonly source: string
  readonly isRaterAsNear: boolean
  readonly isJuryAsNear: boolean
}

const comparisons = (
  { scores, jury, sources }: RatedAnswers,
  rater: number,
  nearness: Nearness,
): readonly Comparison[] =>
  jury.flatMap((juryScore, answer) => {
    const own = scores[rater]?.[answer] ?? null
    // Sorted, so that a sum does not depend on the order of the raters.
    const others = scores
      .flatMap((row, other) => (other === rater ? [] : (row[answer] ?? [])))
      .sort(ascending)
    if (own === null || juryScore === null || others.length === 0) return []
    const gap = NEARNESS[nearness](own, others) - NEARNESS[nearness](juryScore, others)
    return [
      { source: sources?.[answer] ?? `${answer}`, isRaterAsNear: gap >= -TIE, isJuryAsNear: gap <= TIE },
    ]
  })

const ascending = (a: number, b: number): number => a - b

const NEARNESS: Readonly<Record<Nearness, (score: number, others: readonly number[]) => number>> = {
  neg_rmse: (score, others) =>
    -Math.sqrt(others.reduce((sum, other) => sum + (score - other) ** 2, 0) / others.length),
  accuracy: (score, others) =>
    others.filter((other) => Math.abs(score - other) <= TIE).length / others.length,
}

const sourcesOf = (answers: readonly Comparison[]): number =>
  new Set(answers.map(({ source }) => source)).size

/** One-sided t test over sources (CR2) of "the mean of the rater's wins less the jury's is ε or more". */
const pValue = (answers: readonly Comparison[], epsilon: number): number => {
  const values = answers.map(
    ({ isRaterAsNear, isJuryAsNear }) => Number(isRaterAsNear) - Number(isJuryAsNear),
  )
  const { estimate, known, sources } = clusterRobust([
    { weight: 1, values, sources: answers.map(({ source }) => source) },
  ])
  // Without spread: as if at least half of the sources had gone the other way.
  if (known === undefined || known.variance <= NO_SPREAD) return estimate < epsilon ? 2 ** -sources : 1
  return studentUpper((epsilon - estimate) / Math.sqrt(known.variance), known.df)
}

/** The greatest p that is rejected; below 0 where none is. */
const benjaminiYekutieli = (ps: readonly number[], q: number): number => {
  const sorted = ps.toSorted(ascending)
  const harmonic = sorted.reduce((sum, _, index) => sum + 1 / (index + 1), 0)
  return sorted.reduce(
    (most, p, index) => (p <= ((index + 1) * q) / (sorted.length * harmonic) ? p : most),
    -1,
  )
}
