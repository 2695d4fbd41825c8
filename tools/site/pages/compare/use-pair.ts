import { useLoaded } from '../../client/use-loaded.ts'
import type { LoadChunk } from '../../components/text/whole-text.ts'
import type { InstanceView } from '../run/instances/instance-view.ts'
import { loadRows } from '../run/instances/load-rows.ts'
import { loadRunIndex, type InstanceIndex } from '../run/run-index.ts'
import type { PairedRow } from './pair-rows.ts'

/** Two runs of which all outcomes are known, and none of the texts yet. */
export interface LoadedPair {
  readonly key: string
  readonly a: LoadedValues
  readonly b: LoadedValues
}

interface LoadedValues {
  readonly index: InstanceIndex
  readonly load: LoadChunk
}

/** Undefined while it loads; null where it can't be loaded. */
export const useRunPair = (
  pages: readonly [a: string, b: string] | undefined,
  loaderOf: (page: string) => LoadChunk,
): LoadedPair | null | undefined => {
  const [pageA = '', pageB = ''] = pages ?? []
  const key = `${pageA} ${pageB}`
  const run = async (page: string): Promise<LoadedValues> => {
    const load = loaderOf(page)
    return { load, index: await loadRunIndex(load) }
  }
  return useLoaded(pages && key, async () => {
    const [a, b] = await Promise.all([run(pageA), run(pageB)])
    return { key, a, b }
  })
}

/** Both sides' texts of some rows. */
interface LoadedRows {
  readonly rows: readonly PairedRow[]
  readonly a: readonly InstanceView[]
  readonly b: readonly InstanceView[]
}

/** Undefined while they load; null where they can't be. */
export const useRowTexts = (
  { key, a, b }: LoadedPair,
  rows: readonly PairedRow[],
): LoadedRows | null | undefined =>
  useLoaded(`${key} ${rows.map(({ rowA }) => rowA).join(' ')}`, async () => {
    const left = rows.map(({ rowA }) => rowA)
    const right = rows.map(({ rowB }) => rowB)
    const [ofA, ofB] = await Promise.all([loadRows(left, a.index, a.load), loadRows(right, b.index, b.load)])
    return { rows, a: ofA, b: ofB }
  })
