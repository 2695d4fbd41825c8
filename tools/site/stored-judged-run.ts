import type { Store } from '../../cache/store.ts'
import type { JudgedRun } from '../../targets/jury/dropout.ts'

/** Raised when the same judgements give another summary. */
const VERSION = 1

type Stored = Omit<JudgedRun, 'without'> & {
  readonly without: readonly (readonly [judge: string, mean: number])[]
}

/** A record's jury scores with and without each judge, kept by the record's digest: judgements are many, boards are often made. */
export const storedJudgedRun = async (
  digest: string,
  store: Store,
  judged: () => Promise<JudgedRun>,
): Promise<JudgedRun> => {
  const id = `judged:${VERSION}:${digest}`
  const known = store.get('files', id) as Stored | undefined
  if (known !== undefined) return { ...known, without: new Map(known.without) }
  const made = await judged()
  // No mean without a judgement, and nothing that would be dear to read again.
  if (made.requests === 0) return made
  const kept: Stored = { ...made, without: [...made.without] }
  await store.put('files', id, kept)
  return made
}
