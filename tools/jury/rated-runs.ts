import { remembered } from '../../cache/once.ts'
import { groupBy } from '../../cache/lists.ts'
import { meanOf } from '../../targets/statistics/mean.ts'
import { criterionScore } from '../../targets/jury/judge-scores.ts'
import { judgedScore, storedJudgements } from '../../targets/jury/stored-judgements.ts'
import type { RequestState } from '../../targets/record/request-state.ts'
import { scenarioOf } from '../../targets/runs/board-metric.ts'
import { textMeasures } from '../../targets/metrics/catalog.ts'
import type { Rating } from '../../targets/jury/study/ratings.ts'
import type { JudgedTarget } from './judged-runs.ts'

export interface StoredAnswer {
  readonly run: JudgedTarget
  readonly instance: string
  /** The instance's, where it shares one. */
  readonly source?: string
  /** Mean over all scores of the judges that count; null where none does. */
  readonly jury: number | null
  /** The same by criterion. */
  readonly juryBy?: ReadonlyMap<string, number>
  readonly metrics: ReadonlyMap<string, number>
}

export interface RatedTargets {
  /** Ratings with the answer that they are of. */
  readonly found: readonly { readonly rating: Rating; readonly answer: StoredAnswer }[]
  /** Ratings of answers that no run holds. */
  readonly unknown: readonly Rating[]
  /** Ratings that could be of answers of several runs. */
  readonly ambiguous: readonly Rating[]
}

/**
 * The criteria of each benchmark's rubric, by the names that ratings may use for it.
 * @param items of rubrics that instances bring
 */
export const criteriaOf = (
  runs: readonly JudgedTarget[],
  items: readonly string[] = [],
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [looseBenchmark, exactBenchmark].flatMap((namesOf) =>
      runs.flatMap((run) => {
        const criteria = run.jury.grading === undefined ? [...run.jury.criteria.keys()] : items
        return namesOf(run).map((name) => [name, criteria] as const)
      }),
    ),
  )

/** What no rating has of the rubric that its run's judges scored by, where a table lacks the column; undefined for nothing. */
export const lackedCriteria = (
  rated: readonly { readonly criteria: readonly string[]; readonly run: JudgedTarget }[],
): string | undefined => {
  const lacking = [...groupBy(rated, ({ run }) => scenarioOf(run.target.spec.name))].flatMap(
    ([benchmark, own]) => {
      const judged = new Set(own.flatMap(({ criteria }) => criteria))
      const names = own.flatMap(({ run }) => [...run.jury.criteria.keys()])
      return [...new Set(names)].flatMap((name) => (judged.has(name) ? [] : [`${name} of ${benchmark}`]))
    },
  )
  return lacking.length === 0
    ? undefined
    : `no rating has ${lacking.join(', ')}: calibrated scores leave it out, the jury’s do not`
}

export const findRated = (
  ratings: readonly Rating[],
  answers: readonly (readonly StoredAnswer[])[],
): RatedTargets => {
  const byRun = new Map(
    answers.flatMap((held) => {
      const [first] = held
      return first === undefined
        ? []
        : [[first.run, new Map(held.map((answer) => [answer.instance, answer]))] as const]
    }),
  )
  const looked = ratings.map((rating) => {
    const ofBenchmark = runsNamed(rating.benchmark, [...byRun.keys()], exactBenchmark, looseBenchmark)
    const own = runsNamed(rating.model, ofBenchmark, exactModel, looseModel)
    const found = own.flatMap((run) => byRun.get(run)?.get(rating.instance) ?? [])
    return { rating, answer: found.length > 1 ? ('several' as const) : found[0] }
  })
  return {
    found: looked.flatMap(({ rating, answer }) =>
      answer === undefined || answer === 'several' ? [] : [{ rating, answer }],
    ),
    unknown: looked.flatMap(({ rating, answer }) => (answer === undefined ? [rating] : [])),
    ambiguous: looked.flatMap(({ rating, answer }) => (answer === 'several' ? [rating] : [])),
  }
}

/** A rating with its run's jury and metrics in place of the table's, and what its instance comes from. */
export const withRun = (rating: Rating, { jury, juryBy, metrics, source }: StoredAnswer): Rating => ({
  ...rating,
  ...(juryBy && { juryBy }),
  ...(source !== undefined && { source }),
  jury: jury === null ? [] : [jury],
  metrics: new Map([...rating.metrics, ...metrics]),
})

type NamesOf = (run: JudgedTarget) => readonly string[]

/** A name that is some run's very own is no other's: that of a benchmark's usual arguments is the benchmark's, too. */
const runsNamed = (
  name: string,
  runs: readonly JudgedTarget[],
  exact: NamesOf,
  loose: NamesOf,
): readonly JudgedTarget[] => {
  const own = runs.filter((run) => exact(run).includes(name))
  return own.length > 0 ? own : runs.filter((run) => loose(run).includes(name))
}

/** With its arguments, as all tables show it. */
const exactBenchmark: NamesOf = ({ target: { spec } }) => [scenarioOf(spec.name)]

const looseBenchmark: NamesOf = ({ target: { spec } }) => [spec.benchmark.name, spec.benchmark.runName]

/** As the registry writes it, and as the names of run folders do. */
const writtenAs = (name: string): readonly string[] => [name, name.replaceAll('/', '_')]

const exactModel: NamesOf = ({ target: { spec } }) => writtenAs(spec.adapter.modelDeployment)

const looseModel: NamesOf = ({ target: { spec } }) => writtenAs(spec.adapter.model)

/** Automatic metrics of texts: ours, and those of the workspace's own that say more is better. */
const heldNames = ({ target: { spec } }: JudgedTarget): ReadonlySet<string> => {
  const own = spec.benchmark.metrics.flatMap(({ code }) => code?.measures ?? [])
  return new Set([
    ...textMeasures(),
    ...own.filter(({ better }) => better === 'higher').map(({ name }) => name),
  ])
}

/** The judged answers of a run; of several trials the first, as clinicians are shown one. */
export const runAnswers = (run: JudgedTarget): readonly StoredAnswer[] => {
  const { view, sources } = run
  const metrics = new Map<string, Map<string, number>>()
  const held = heldNames(run)
  for (const { instanceId, trainTrialIndex, stats } of view.perInstanceStats())
    for (const { name, count, sum } of stats) {
      if (trainTrialIndex !== 0 || count === 0 || name.perturbation !== undefined) continue
      if (!held.has(name.name)) continue
      remembered(metrics, String(instanceId), () => new Map<string, number>()).set(name.name, sum / count)
    }
  const answers = new Map<string, StoredAnswer>()
  for (const state of view.states()) {
    const instance = String(state.instance.id)
    if (state.trainTrialIndex !== 0 || answers.has(instance)) continue
    const source = sources.get(instance)
    answers.set(instance, {
      run,
      instance,
      ...(source !== undefined && { source }),
      jury: judgedScore(state, run.reading),
      juryBy: juryByCriterion(state, run),
      metrics: metrics.get(instance) ?? new Map(),
    })
  }
  return [...answers.values()]
}

/** The jury's mean score of an answer by criterion, over the judges that count. */
export const juryByCriterion = (
  state: RequestState,
  { jury, reading }: Pick<JudgedTarget, 'jury' | 'reading'>,
): ReadonlyMap<string, number> => {
  const counted = storedJudgements(state, reading).filter(({ reading: own }) => own.kind === 'scores')
  return new Map(
    [...jury.criteria.keys()].flatMap((criterion) => {
      const scores = counted.flatMap(
        ({ parsed }) => criterionScore(parsed, criterion, reading.dialect.scores) ?? [],
      )
      return scores.length === 0 ? [] : [[criterion, meanOf(scores)] as const]
    }),
  )
}
