import { underWay } from '../lists.ts'
import { digestOf } from '../values/digest.ts'
import { recordKey } from '../lmdb/index-entry.ts'
import type { RawValue } from '../values/encoded.ts'
import { tierValues } from './read-tier.ts'
import { TierLog } from './tier-log.ts'
import { segmentsFolder, type Tier } from './tier.ts'

const nameOf = ({ table, id, payload }: RawValue): string =>
  digestOf(Buffer.concat([recordKey(table, id), Buffer.of(0), payload])).slice(0, 32)

/** Values on their way at once. */
const AT_ONCE = 1000

/**
 * Writes those of `values` that the tier lacks, each byte for byte, into segments of its own; how many.
 * @param mark of the vault's key; undefined for what lies in the open
 * @throws ProblemError `cache/write-failed`, `cache/disk-full`
 */
export const pushValues = async (
  tier: Tier,
  mark: string | undefined,
  values: Iterable<RawValue>,
): Promise<number> => {
  const there = new Set<string>()
  const reading = { onDamage: () => undefined, ...(mark === undefined ? {} : { mark }) }
  for await (const value of tierValues(tier, reading)) there.add(nameOf(value))
  const log = TierLog.ofItsOwn(tier, segmentsFolder(mark))
  const puts = underWay(AT_ONCE)
  let pushed = 0
  try {
    for (const value of values) {
      if (there.has(nameOf(value))) continue
      pushed += 1
      await puts.add(log.put(value.table, value.id, value.payload))
    }
    await puts.ended()
    return pushed
  } finally {
    await log.close()
  }
}
