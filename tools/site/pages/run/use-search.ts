import { remembered } from '../../../../cache/once.ts'
import { useEffect, useState } from 'preact/hooks'
import type { LoadChunk } from '../../components/text/whole-text.ts'
import type { InstanceIndex } from './run-index.ts'
import { readTextBlock, textsKey } from './text-block.ts'

export interface Search {
  readonly found: readonly number[]
  /** Rows that were looked at. */
  readonly searched: number
  readonly state: 'searching' | 'done' | 'failed'
}

/** Rows whose texts hold a phrase, letters' case aside. Of long texts the start is read. All rows without a phrase. */
export const useSearch = (
  words: string,
  rows: readonly number[],
  { index, load }: { readonly index: InstanceIndex; readonly load: LoadChunk },
): Search => {
  const [hits, setHits] = useState<Hits>(NONE)
  useEffect(() => {
    if (words === '') return undefined
    const wanted = { still: true }
    setHits(NONE)
    void searchTexts(words, { index, load, wanted, tell: setHits })
    return () => {
      wanted.still = false
    }
  }, [words, index])
  if (words === '') return { found: rows, searched: rows.length, state: 'done' }
  const { searched, state } = hits
  return { found: rows.filter((row) => hits.rows.has(row)), searched, state }
}

interface Hits extends Pick<Search, 'searched' | 'state'> {
  readonly rows: ReadonlySet<number>
}

const NONE: Hits = { rows: new Set(), searched: 0, state: 'searching' }

/** Blocks that are loaded while one is searched. */
const AHEAD = 4

/** Milliseconds between two reports: a report redraws the page. */
const REPORT_EVERY = 400

/** Lets the page draw and listen before the next block. */
const pause = (): Promise<void> => new Promise((done) => setTimeout(done))

/** Texts of a run that were read once. */
const read = new WeakMap<InstanceIndex, Map<number, Promise<readonly string[]>>>()

const blockOf = (block: number, index: InstanceIndex, load: LoadChunk): Promise<readonly string[]> => {
  const blocks = remembered(read, index, () => new Map())
  const known = remembered(blocks, block, () =>
    load(textsKey(block)).then((packed) => readTextBlock(String(packed))),
  )
  known.catch(() => blocks.delete(block))
  return known
}

const searchTexts = async (
  words: string,
  {
    index,
    load,
    wanted,
    tell,
  }: {
    readonly index: InstanceIndex
    readonly load: LoadChunk
    readonly wanted: { readonly still: boolean }
    readonly tell: (hits: Hits) => void
  },
): Promise<void> => {
  const phrase = words.toLowerCase()
  const rows = new Set<number>()
  let searched = 0
  let told = performance.now()
  for (let block = 0; block < index.texts; block += 1) {
    try {
      for (let ahead = block + 1; ahead < Math.min(block + AHEAD, index.texts); ahead += 1)
        blockOf(ahead, index, load).catch(() => undefined)
      const texts = await blockOf(block, index, load)
      for (const [at, text] of texts.entries()) if (text.includes(phrase)) rows.add(searched + at)
      searched += texts.length
    } catch {
      if (wanted.still) tell({ rows, searched, state: 'failed' })
      return
    }
    await pause()
    if (!wanted.still) return
    if (block + 1 === index.texts || performance.now() - told < REPORT_EVERY) continue
    told = performance.now()
    tell({ rows: new Set(rows), searched, state: 'searching' })
  }
  tell({ rows, searched, state: 'done' })
}
