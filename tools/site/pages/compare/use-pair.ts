import { useEffect, useState } from 'preact/hooks'
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

export interface LoadedValues {
  readonly index: InstanceIndex
  readonly load: LoadChunk
}

/** Undefined while it loads; null where it can't be loaded. The pair of an earlier key is never given. */
export const useRunPair = (
  pages: readonly [a: string, b: string] | undefined,
  loaderOf: (page: string) => LoadChunk,
): LoadedPair | null | undefined => {
  const key = pages?.join(' ')
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly pair: LoadedPair | null }>()
  useEffect(() => {
    if (pages === undefined || key === undefined) return undefined
    let wanted = true
    const run = async (page: string): Promise<LoadedValues> => {
      const load = loaderOf(page)
      return { load, index: await loadRunIndex(load) }
    }
    Promise.all([run(pages[0]), run(pages[1])]).then(
      ([a, b]) => wanted && setLoaded({ key, pair: { key, a, b } }),
      () => wanted && setLoaded({ key, pair: null }),
    )
    return () => {
      wanted = false
    }
  }, [key])
  return loaded?.key === key ? loaded?.pair : undefined
}

/** Both sides' texts of some rows. */
export interface LoadedRows {
  readonly rows: readonly PairedRow[]
  readonly a: readonly InstanceView[]
  readonly b: readonly InstanceView[]
}

/** Undefined while they load; null where they can't be. */
export const useRowTexts = (
  pair: LoadedPair | null | undefined,
  rows: readonly PairedRow[],
): LoadedRows | null | undefined => {
  const key = `${pair?.key ?? ''} ${rows.map(({ rowA }) => rowA).join(' ')}`
  const [loaded, setLoaded] = useState<{ readonly key: string; readonly texts: LoadedRows | null }>()
  useEffect(() => {
    if (pair === undefined || pair === null) return undefined
    let wanted = true
    const { a, b } = pair
    Promise.all([
      loadRows(
        rows.map(({ rowA }) => rowA),
        a.index,
        a.load,
      ),
      loadRows(
        rows.map(({ rowB }) => rowB),
        b.index,
        b.load,
      ),
    ]).then(
      ([left, right]) => wanted && setLoaded({ key, texts: { rows, a: left, b: right } }),
      () => wanted && setLoaded({ key, texts: null }),
    )
    return () => {
      wanted = false
    }
  }, [key])
  return loaded?.key === key ? loaded?.texts : undefined
}
