import { addAmounts, plus, type Amounts, type Cap } from '../../../targets/spend/cap.ts'
import { countedCost, type PlacedEntry } from '../../../targets/spend/ledger.ts'
import type { DayAccounts } from '../spending/day-accounts.ts'
import type { ShardUse } from './session-tier.ts'

/** A task's part of each cap. */
export const splitCaps = (caps: readonly Cap[], { count }: Pick<ShardUse, 'count'>): readonly Cap[] =>
  caps.map((cap) => ({ ...cap, usd: cap.usd / count, name: `${cap.name} / ${count}` }))

/** Runs of one shard of a submission, however often it is tried, begin with this. */
export const shardRun = ({ submission, index }: ShardUse): string => `${submission}.${index}.`

const sumOf = (entries: Iterable<PlacedEntry>): Amounts => {
  let sum: Amounts = new Map()
  for (const entry of entries) sum = plus(sum, entry.deployment, countedCost(entry))
  return sum
}

/** What earlier attempts of a submission's shard have spent of its part. */
export const spentBefore = (entries: readonly PlacedEntry[], shard: ShardUse): Amounts =>
  sumOf(entries.filter(({ run }) => run.startsWith(shardRun(shard))))

/**
 * The day's accounts of a task: its part of what others spent that day as far as the tier told when it began, and what its
 * own earlier attempts did. What runs of other submissions spend meanwhile is not seen.
 */
export const shardDays = (
  shard: ShardUse,
  run: string,
  ledger: (day: string) => Promise<readonly PlacedEntry[]>,
): DayAccounts => {
  const read = new Map<string, Promise<Amounts>>()
  const earlier = async (day: string): Promise<Amounts> => {
    const entries = (await ledger(day)).filter((entry) => entry.time.startsWith(day) && entry.run !== run)
    const isOfSubmission = (entry: PlacedEntry): boolean => entry.run.startsWith(`${shard.submission}.`)
    const others = sumOf(entries.filter((entry) => !isOfSubmission(entry)))
    const parts = new Map([...others].map(([deployment, usd]) => [deployment, usd / shard.count]))
    return addAmounts([parts, spentBefore(entries, shard)])
  }
  return {
    exclusively: async (day, decide) => {
      const settled = read.get(day) ?? earlier(day)
      read.set(day, settled)
      return decide({ settled: await settled, reserved: new Map() })
    },
    write: () => undefined,
  }
}
