import { remembered } from '../../cache/once.ts'
import type { Shard } from '../keys/shard.ts'
import type { DayAccounts } from './capped-spending.ts'
import { addAmounts, type Amounts, type Cap } from './cap.ts'
import { spentIn, type PlacedEntry } from './ledger.ts'

/** One task's part of a run that several machines share. */
export interface SubmittedShard extends Shard {
  /** Names what was submitted: its tasks' attempts share one allowance. */
  readonly submission: string
}

/** A task's part of each cap. */
export const splitCaps = (caps: readonly Cap[], { count }: Pick<SubmittedShard, 'count'>): readonly Cap[] =>
  caps.map((cap) => ({ ...cap, usd: cap.usd / count, name: `${cap.name} / ${count}` }))

/** Runs of one shard of a submission, however often it is tried, begin with this. */
export const shardRun = ({ submission, index }: SubmittedShard): string => `${submission}.${index}.`

/** What earlier attempts of a submission's shard have spent of its part. */
export const spentBefore = (entries: readonly PlacedEntry[], shard: SubmittedShard): Amounts =>
  spentIn(entries.filter(({ run }) => run.startsWith(shardRun(shard))))

/**
 * The day's accounts of a task: its part of what others spent that day as far as the tier told when it began, and what its
 * own earlier attempts did. What runs of other submissions spend meanwhile is not seen.
 */
export const shardDays = (
  shard: SubmittedShard,
  run: string,
  ledger: (day: string) => Promise<readonly PlacedEntry[]>,
): DayAccounts => {
  const read = new Map<string, Promise<Amounts>>()
  const earlier = async (day: string): Promise<Amounts> => {
    const entries = (await ledger(day)).filter((entry) => entry.time.startsWith(day) && entry.run !== run)
    const isOfSubmission = (entry: PlacedEntry): boolean => entry.run.startsWith(`${shard.submission}.`)
    const others = spentIn(entries.filter((entry) => !isOfSubmission(entry)))
    const parts = new Map([...others].map(([deployment, usd]) => [deployment, usd / shard.count]))
    return addAmounts([parts, spentBefore(entries, shard)])
  }
  return {
    exclusively: async (day, decide) => {
      const settled = await remembered(read, day, () => earlier(day))
      return decide({ settled, reserved: new Map() })
    },
    write: () => undefined,
  }
}
