import { referencesDigest, type ComparedInstance } from '../../../targets/compare/compared-run.ts'
import { sourceAt, type InstanceVector } from '../../../targets/runs/instance-vector.ts'
import type { AskedInstance, AskedQuestions, Run } from '../../../targets/runs/run.ts'

/** An instance as later releases know it again. */
export interface ValuedInstance extends ComparedInstance {
  readonly id: string
  /** What it shares with others; absent where it stands for itself. */
  readonly source?: string
}

/** A run's values of the main metric, instance by instance. */
export interface RunValues {
  /** All that were asked, in the data's order. */
  readonly instances: readonly ValuedInstance[]
  /** In their order; NaN where one could not be read. */
  readonly values: readonly number[]
}

/** Digests of the references of instances, by the instances' own: most runs ask what others do. */
export type KnownReferences = Map<string, string>

/** Undefined where a run's source tells of no instance. */
export const runValues = async (
  { benchmark, asked: askedOf }: Pick<Run, 'benchmark' | 'asked'>,
  vector: InstanceVector,
  known: KnownReferences,
): Promise<RunValues | undefined> => {
  const asked = await askedOf?.()
  const { split: main } = benchmark.mainMetric
  return (
    asked &&
    valuedInstances(
      asked.instances.filter(({ split }) => split === main),
      vector,
      { resultsById: asked.resultsById, known },
    )
  )
}

interface Known {
  readonly resultsById: AskedQuestions['resultsById'] | undefined
  readonly known: KnownReferences
}

/** What could not be read of an instance may be the very same of another run. */
export const valuedInstances = (
  asked: readonly AskedInstance[],
  vector: InstanceVector,
  { resultsById, known }: Known,
): RunValues => {
  const places = new Map(vector.ids.map((id, at) => [id, at]))
  const at = asked.map(({ id }) => places.get(String(id)) ?? -1)
  const values = at.map((place) => vector.values[place] ?? NaN)
  const results = values.some(Number.isNaN) ? resultsById?.() : undefined
  return {
    values,
    instances: asked.map(({ id, digest, body }, index) => {
      const source = sourceAt(vector, at[index] ?? -1)
      const own = Number.isNaN(values[index]) ? results?.get(String(id)) : undefined
      const references = known.get(digest) ?? referencesDigest(body)
      known.set(digest, references)
      return {
        id: String(id),
        digest,
        references,
        ...(own !== undefined && { results: own }),
        ...(source !== undefined && { source }),
      }
    }),
  }
}
