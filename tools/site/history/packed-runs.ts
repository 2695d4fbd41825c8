import { remembered } from '../../../cache/once.ts'
import type { PairableSide } from '../../../targets/compare/paired-sides.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { withClusters } from '../../../targets/runs/instance-vector.ts'
import { packed, unpacked } from '../values/packed.ts'
import type { KnownInstance, ValuedInstances } from './run-values.ts'
import type {
  Snapshot,
  SnapshotCell,
  SnapshotInstances,
  SnapshotModel,
  SnapshotScenario,
} from './snapshot.ts'

type ToldValues = NonNullable<SnapshotScenario['told']>

/** Values of a snapshot's runs; runs that asked the same share the list of it. */
export class ValuePacker {
  readonly #places = new Map<string, number>()
  readonly #known = new Map<readonly KnownInstance[], number>()
  readonly #lists: SnapshotInstances[]

  /** @param lists that the snapshot has already */
  constructor(lists: readonly SnapshotInstances[] = []) {
    this.#lists = [...lists]
  }

  get lists(): SnapshotInstances[] {
    return this.#lists
  }

  pack({ instances, values, unread }: ValuedInstances): ToldValues {
    return {
      instances: remembered(this.#known, instances, () => this.#placeOf(instances)),
      values: packed([...values]) as ToldValues['values'],
      unread: [...unread].map(([at, results]) => [at, short(results)]),
    }
  }

  #placeOf(instances: readonly KnownInstance[]): number {
    const list: SnapshotInstances = {
      ids: instances.map(({ id }) => id),
      digests: instances.map(({ digest }) => short(digest)),
      references: instances.map(({ references }) => short(references)),
      ...(instances.some(({ source }) => source !== undefined) && {
        sources: instances.map(({ source }) => (source === undefined ? '' : short(digestOf<'text'>(source)))),
      }),
    }
    const key = JSON.stringify(list)
    return remembered(this.#places, key, () => {
      this.#lists.push(list)
      return this.#lists.length - 1
    })
  }
}

/** As many as tell texts apart. */
const DIGITS = 16

const short = (digest: string): string => digest.slice(0, DIGITS)

/** A run as it is compared; undefined where its values, or as many as it has instances, are not told. */
export const pairableSide = (
  { instances = [] }: Snapshot,
  { told, areMeans, rows }: SnapshotScenario,
  { benchmark, metric, data }: { readonly benchmark: string; readonly metric: string; readonly data: string },
): PairableSide | undefined => {
  const list = told && instances[told.instances]
  if (told === undefined || list === undefined) return undefined
  const { ids, digests, references, sources = [] } = list
  const values = Float64Array.from(unpacked(told.values), (value) => value ?? NaN)
  if (values.length !== ids.length) return undefined
  const unread = new Map(told.unread)
  const shared = ids.flatMap((id, at) => (sources[at] ? [[id, sources[at]] as const] : []))
  return withClusters(
    {
      benchmark,
      data,
      ids,
      areMeans,
      results: rows,
      values: new Map([[metric, values]]),
      instances: ids.map((_, at) => {
        const results = unread.get(at)
        return {
          digest: digests[at] ?? '',
          references: references[at] ?? '',
          ...(results !== undefined && { results }),
        }
      }),
    },
    new Map(shared),
  )
}

/** A run with values that its snapshot does not hold yet. */
export interface FilledScenario extends SnapshotScenario {
  readonly values?: ValuedInstances
}

/** @param fill gives a cell's runs; undefined where it has none that count */
export const withRuns = async (
  snapshot: Snapshot,
  fill: (
    cell: SnapshotCell,
    of: { readonly deployment: string; readonly benchmark: string },
  ) => Promise<readonly FilledScenario[] | undefined>,
): Promise<Snapshot> => {
  const packer = new ValuePacker(snapshot.instances)
  const models: SnapshotModel[] = []
  for (const model of snapshot.models) {
    const cells: SnapshotModel['cells'] = []
    for (const [at, cell] of model.cells.entries()) {
      const of = { deployment: model.deployment, benchmark: snapshot.benchmarks[at]?.name ?? '' }
      const runs = cell && (await fill(cell, of))
      cells.push(
        cell && {
          ...cell,
          ...(runs && {
            runs: runs.map(({ values, ...run }) => (values ? { ...run, told: packer.pack(values) } : run)),
          }),
        },
      )
    }
    models.push({ ...model, cells })
  }
  return { ...snapshot, models, ...(packer.lists.length > 0 && { instances: packer.lists }) }
}
