import { answerKey, TEXT_METRICS, type Rating } from '../../targets/jury/ratings.ts'
import type { JudgedTarget } from './judged-runs.ts'

/** What a run holds of one answer. */
interface RunAnswer {
  /** Mean over all scores of the judges that count; null where none does. */
  readonly jury: number | null
  readonly metrics: ReadonlyMap<string, number>
}

export interface RatedRuns {
  /** Ratings whose answer some run holds, with its jury's score and metrics in place of the table's. */
  readonly ratings: readonly Rating[]
  /** Ratings of answers that no run holds. */
  readonly unknown: readonly Rating[]
  /** Of the rest, those whose answer no judge scored; they stand among `ratings` without a jury. */
  readonly unjudged: number
}

/** The criteria of each benchmark's rubric, by the names that ratings may use for it. */
export const criteriaOf = (runs: readonly JudgedTarget[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    runs.flatMap(({ target, jury }) =>
      benchmarkNames(target.spec.benchmark).map((name) => [name, [...jury.criteria.keys()]] as const),
    ),
  )

/** Takes jury and metrics of each rated answer from the runs. */
export const joinRatings = (ratings: readonly Rating[], runs: readonly JudgedTarget[]): RatedRuns => {
  const answers = new Map<string, RunAnswer>()
  for (const run of runs) {
    const { benchmark, adapter } = run.target.spec
    const held = answersOf(run)
    for (const name of benchmarkNames(benchmark))
      for (const model of modelNames([adapter.model, adapter.modelDeployment]))
        for (const [instance, answer] of held)
          answers.set(answerKey({ benchmark: name, instance, model }), answer)
  }
  const found = ratings.map((rating) => ({ rating, answer: answers.get(answerKey(rating)) }))
  return {
    ratings: found.flatMap(({ rating, answer }) =>
      answer === undefined
        ? []
        : [
            {
              ...rating,
              jury: answer.jury === null ? [] : [answer.jury],
              metrics: new Map([...rating.metrics, ...answer.metrics]),
            },
          ],
    ),
    unknown: found.flatMap(({ rating, answer }) => (answer === undefined ? [rating] : [])),
    unjudged: found.filter(({ answer }) => answer?.jury === null).length,
  }
}

const benchmarkNames = ({
  name,
  runName,
}: {
  readonly name: string
  readonly runName: string
}): readonly string[] => [...new Set([name, runName])]

/** As the registry writes them, and as the names of run folders do. */
const modelNames = (names: readonly string[]): readonly string[] => [
  ...new Set(names.flatMap((name) => [name, name.replaceAll('/', '_')])),
]

/** Of several trials the first: what clinicians are shown. */
const answersOf = ({ view }: JudgedTarget): ReadonlyMap<string, RunAnswer> => {
  const metrics = new Map<string, Map<string, number>>()
  for (const { instanceId, trainTrialIndex, stats } of view.perInstanceStats())
    for (const { name, count, sum } of stats) {
      if (trainTrialIndex !== 0 || count === 0 || name.perturbation !== undefined) continue
      if (!TEXT_METRICS.includes(name.name)) continue
      const known = metrics.get(String(instanceId)) ?? new Map<string, number>()
      metrics.set(String(instanceId), known.set(name.name, sum / count))
    }
  const answers = new Map<string, RunAnswer>()
  for (const state of view.states()) {
    const id = String(state.instance.id)
    if (state.trainTrialIndex !== 0 || answers.has(id)) continue
    const strict = view.ownPoints(state).find(({ name }) => name === 'jury_score_strict')
    answers.set(id, { jury: strict?.value ?? null, metrics: metrics.get(id) ?? new Map() })
  }
  return answers
}
