import type { FileDigests } from '../../benchmarks/context/context.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Store } from '../../cache/store.ts'
import type { EntryMemory, ParsedEntry } from '../../targets/entries/run-entry.ts'

/**
 * Small things about files that a later invocation need not find out again.
 * Written at the session's end and only beside results: a note alone is no reason to make a store.
 */
export interface SessionMemo {
  readonly fileDigests: FileDigests
  readonly entries: EntryMemory
  flush(): Promise<void>
}

export const createMemo = (store: Store): SessionMemo => {
  const fresh = new Map<string, Json>()
  const get = (id: string): Json | undefined => fresh.get(id) ?? store.get('files', id)
  return {
    fileDigests: {
      get: (path, stat) => {
        const known = get(path) as { stat: string; digest: Digest<'file'> } | undefined
        return known?.stat === statText(stat) ? known.digest : undefined
      },
      put: (path, stat, digest) => {
        fresh.set(path, { stat: statText(stat), digest })
        return Promise.resolve()
      },
    },
    entries: {
      get: (text) => get(`entries:${text}`) as readonly ParsedEntry[] | undefined,
      put: (text, entries) => void fresh.set(`entries:${text}`, entries.map(packed)),
    },
    flush: async () => {
      const puts = await Promise.allSettled([...fresh].map(([id, value]) => store.put('files', id, value)))
      for (const put of puts) if (put.status === 'rejected' && !isDiskFull(put.reason)) throw put.reason
    },
  }
}

/** What is not noted is found out again: a run that could do its work does not end badly for it. */
const isDiskFull = (error: unknown): boolean =>
  error instanceof ProblemError && error.problems[0]?.code === 'cache/disk-full'

const packed = ({ description, priority, groups, where }: ParsedEntry): Json => ({
  description,
  where: { ...where },
  ...(priority === undefined ? {} : { priority }),
  ...(groups === undefined ? {} : { groups }),
})

/** Unchanged files cost one stat. */
const statText = (stat: Parameters<FileDigests['get']>[1]): string =>
  `${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.inode}`
