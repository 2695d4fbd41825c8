import { remembered } from '../../../cache/once.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { referencesDigest, type ComparedInstance } from '../../../targets/compare/compared-run.ts'
import { sourceAt, type InstanceVector } from '../../../targets/runs/instance-vector.ts'
import type { AskedInstance, AskedQuestions, Run } from '../../../targets/runs/run.ts'

/** An instance as later releases know it again. */
export interface KnownInstance extends Pick<ComparedInstance, 'digest' | 'references'> {
  readonly id: string
  /** What it shares with others; absent where it stands for itself. */
  readonly source?: string
}

/** A run's values of the main metric, instance by instance. */
export interface ValuedInstances {
  /** All that were asked, in the data's order: one list for all runs that asked the same. */
  readonly instances: readonly KnownInstance[]
  /** In their order; NaN where one could not be read. */
  readonly values: Float64Array
  /** What came of those that could not be read, by their places: it may be the very same of another run. */
  readonly unread: ReadonlyMap<number, string>
}

/** What most runs of a board have in common, held once: of which instances they ask, and the digests of their references. */
export class KnownQuestions {
  readonly #references = new Map<string, string>()
  readonly #lists = new Map<string, readonly KnownInstance[]>()

  referencesOf({ digest, body }: AskedInstance): string {
    return remembered(this.#references, digest, () => referencesDigest(body))
  }

  shared(list: readonly KnownInstance[]): readonly KnownInstance[] {
    return remembered(this.#lists, digestOf<'text'>(JSON.stringify(list)), () => list)
  }
}

/** Undefined where a run's source tells of no instance. */
export const runValues = async (
  { benchmark, asked: askedOf }: Pick<Run, 'benchmark' | 'asked'>,
  vector: InstanceVector,
  known: KnownQuestions,
): Promise<ValuedInstances | undefined> => {
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
  readonly known: KnownQuestions
}

export const valuedInstances = (
  asked: readonly AskedInstance[],
  vector: InstanceVector,
  { resultsById, known }: Known,
): ValuedInstances => {
  const places = new Map(vector.ids.map((id, at) => [id, at]))
  const at = asked.map(({ id }) => places.get(String(id)) ?? -1)
  const values = Float64Array.from(at, (place) => vector.values[place] ?? NaN)
  const results = values.some(Number.isNaN) ? resultsById?.() : undefined
  return {
    values,
    instances: known.shared(
      asked.map((instance, index): KnownInstance => {
        const source = sourceAt(vector, at[index] ?? -1)
        return {
          id: String(instance.id),
          digest: instance.digest,
          references: known.referencesOf(instance),
          ...(source !== undefined && { source }),
        }
      }),
    ),
    unread: new Map(
      asked.flatMap(({ id }, index) => {
        const own = Number.isNaN(values[index]) ? results?.get(String(id)) : undefined
        return own === undefined ? [] : [[index, own] as const]
      }),
    ),
  }
}
