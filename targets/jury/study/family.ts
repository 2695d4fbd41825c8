import { groupBy } from '../../../cache/lists.ts'
import { familyOf, type ModelRegistry } from '../../../models/registry/registry.ts'
import type { Target } from '../../record/target.ts'
import {
  selfPreference,
  type KinScore,
  type Kinship,
  type ModelMeans,
} from '../../statistics/judges/self-preference.ts'
import type { JudgeScore } from '../judge-table.ts'
import { CONFIDENCE } from '../../statistics/scale.ts'

/** A run's judgements. */
export interface FamilyScores {
  readonly benchmark: string
  readonly model: string
  readonly scores: readonly JudgeScore[]
  /** Source of an instance, such as its patient; empty where each stands for itself. */
  readonly sources: ReadonlyMap<string, string>
}

interface FamilyModel extends ModelMeans {
  readonly model: string
  readonly family: string
  /** Judges of the model's family. */
  readonly own: readonly string[]
  readonly judgements: number
}

/** Leniency and self-preference of a benchmark's judges, in points of the rubric. */
export interface FamilyReport {
  readonly benchmark: string
  /** Null where kinship cannot be told from leniency: judges that read the same answers, some kin, some not, are wanted. */
  readonly kinship: Kinship | null
  readonly families: readonly { readonly family: string; readonly kinship: Kinship | null }[]
  readonly judges: readonly {
    readonly judge: string
    readonly family: string
    /** Above the judges' mean; null where no answers tie the judge to the others. */
    readonly leniency: number | null
  }[]
  /** Best adjusted mean first. */
  readonly models: readonly FamilyModel[]
}

/** Who made the models and the judges of some runs, by the names of deployments and of judges. */
export const familiesOf = (
  runs: readonly { readonly target: Target }[],
  registry: Pick<ModelRegistry, 'model'>,
): ReadonlyMap<string, string> =>
  new Map(
    runs.flatMap(({ target: { spec, deployment, judges } }) => [
      [spec.adapter.modelDeployment, familyOf(deployment.modelName, registry).name] as const,
      ...judges.map((own) => [own.judge.name, familyOf(own.deployment.modelName, registry).name] as const),
    ]),
  )

/** @param familyNamed a model's or a judge's, by name */
export const familyReports = (
  runs: readonly FamilyScores[],
  familyNamed: (name: string) => string,
): readonly FamilyReport[] =>
  [...groupBy(runs, ({ benchmark }) => benchmark)].map(([benchmark, own]) =>
    reportOf(benchmark, own, familyNamed),
  )

const reportOf = (
  benchmark: string,
  runs: readonly FamilyScores[],
  familyNamed: (name: string) => string,
): FamilyReport => {
  const rows = runs.flatMap(({ model, scores, sources }) =>
    scores.map(({ instance, trial = 0, judge, score }): KinScore => {
      const source = sources.get(instance)
      return { item: instance, model, trial, judge, score, ...(source === undefined ? {} : { source }) }
    }),
  )
  const { kinship, families, leniency, models } = selfPreference(rows, familyNamed, CONFIDENCE)
  return {
    benchmark,
    kinship,
    families: [...families].map(([family, own]) => ({ family, kinship: own })),
    judges: [...leniency].map(([judge, own]) => ({ judge, family: familyNamed(judge), leniency: own })),
    models: [...models]
      .map(([model, means]) => ({
        model,
        family: familyNamed(model),
        own: [...leniency.keys()].filter((judge) => familyNamed(judge) === familyNamed(model)),
        judgements: rows.filter((row) => row.model === model).length,
        ...means,
      }))
      .toSorted((a, b) => (b.adjusted ?? b.all) - (a.adjusted ?? a.all) || (a.model < b.model ? -1 : 1)),
  }
}
