import { useEffect, useState } from 'preact/hooks'
import type { LoadChunk } from '../../components/shown-text.tsx'
import { holdsWords } from './holds-words.ts'
import { loadRows } from './load-rows.ts'
import { pageOfRow, type RunIndex } from './run-index.ts'

export interface Search {
  readonly found: readonly number[]
  /** Rows that were looked at. */
  readonly searched: number
  readonly state: 'searching' | 'done' | 'failed'
}

/** Rows whose texts hold a phrase, while page after page is loaded. All rows where there is no phrase. */
export const useSearch = (
  words: string,
  rows: readonly number[],
  { index, load }: { readonly index: RunIndex; readonly load: LoadChunk },
): Search => {
  const [search, setSearch] = useState<Search>({ found: [], searched: 0, state: 'searching' })
  useEffect(() => {
    if (words === '') return undefined
    const wanted = { still: true }
    setSearch({ found: [], searched: 0, state: 'searching' })
    void searchRows(words, rows, { index, load, wanted, tell: setSearch })
    return () => {
      wanted.still = false
    }
  }, [words, rows, index])
  return words === '' ? { found: rows, searched: rows.length, state: 'done' } : search
}

/** Milliseconds between two reports: a report redraws the page. */
const REPORT_EVERY = 200

const searchRows = async (
  words: string,
  rows: readonly number[],
  {
    index,
    load,
    wanted,
    tell,
  }: {
    readonly index: RunIndex
    readonly load: LoadChunk
    readonly wanted: { readonly still: boolean }
    readonly tell: (search: Search) => void
  },
): Promise<void> => {
  const hits = new Set<number>()
  const found = (): readonly number[] => rows.filter((row) => hits.has(row))
  let searched = 0
  let told = performance.now()
  for (const batch of byPage(rows, index)) {
    try {
      const views = await loadRows(batch, index, load)
      for (const [at, view] of views.entries()) if (holdsWords(view, words)) hits.add(batch[at] ?? -1)
    } catch {
      if (wanted.still) tell({ found: found(), searched, state: 'failed' })
      return
    }
    if (!wanted.still) return
    searched += batch.length
    if (performance.now() - told < REPORT_EVERY) continue
    told = performance.now()
    tell({ found: found(), searched, state: 'searching' })
  }
  if (wanted.still) tell({ found: found(), searched, state: 'done' })
}

/** Rows of a page together, so that each page is loaded once. */
const byPage = (rows: readonly number[], index: RunIndex): readonly (readonly number[])[] => {
  const pages = new Map<number, number[]>()
  for (const row of rows.toSorted((a, b) => a - b)) {
    const { page } = pageOfRow(index, row)
    const known = pages.get(page)
    if (known === undefined) pages.set(page, [row])
    else known.push(row)
  }
  return [...pages.values()]
}
