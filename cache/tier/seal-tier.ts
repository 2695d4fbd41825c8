import { underWay } from '../lists.ts'
import type { RawValue } from '../values/encoded.ts'
import { tierValues } from './read-tier.ts'
import { TierLog } from './tier-log.ts'
import { segmentsFolder, type Tier } from './tier.ts'

export interface SealOptions {
  /** Of the vault's key. */
  readonly mark: string
  /** Ids of completions that an entry of the ledger which is to be sealed was paid for; none for another one. */
  readonly completionOf: (entry: RawValue) => string | undefined
  /** Ids of completions that are to be sealed and that no ledger tells of. */
  readonly unpaid: readonly string[]
  /** A value as the vault keeps it. */
  readonly seal: (value: RawValue) => Promise<RawValue>
  /** Resolves when nobody appends to the segment any more. */
  readonly whenLeft: (segment: string) => Promise<void>
}

/** What was sealed. */
interface SealReport {
  /** Segments that held any of it, and are gone. */
  readonly segments: number
  readonly sealed: number
  /** Other values of these segments: they lie in the open as before. */
  readonly kept: number
  /** Of these segments, what is no value: gone with them. */
  readonly damagedBytes: number
}

const placeOf = ({ table, id }: RawValue): string => `${table}/${id}`

/**
 * Seals what lies on a tier in the open and is not public. A segment that holds any of it is written anew: what is to be
 * sealed among the sealed, the rest in the open; once both are there to stay, it is removed. Whoever is interrupted begins
 * anew: nothing is lost, and values that are there twice are one.
 */
export const sealTier = async (tier: Tier, options: SealOptions): Promise<SealReport> => {
  let sum: SealReport = { segments: 0, sealed: 0, kept: 0, damagedBytes: 0 }
  // What is appended meanwhile is found by the next look.
  for (;;) {
    const restricted = await findRestricted(tier, options)
    const segments = await segmentsWith(tier, restricted)
    if (segments.size === 0) return sum
    for (const segment of segments) await options.whenLeft(segment)
    const { read, sealed, kept, damagedBytes } = await writeAnew(tier, { restricted, segments }, options)
    let removed = 0
    for (const [segment, bytes] of read) if (await tier.remove(segment, bytes)) removed += 1
    sum = {
      segments: sum.segments + removed,
      sealed: sum.sealed + sealed,
      kept: sum.kept + kept,
      damagedBytes: sum.damagedBytes + damagedBytes,
    }
  }
}

const ignore = (): void => undefined

/** Places of all values that are to be sealed. */
const findRestricted = async (
  tier: Tier,
  { completionOf, unpaid }: SealOptions,
): Promise<ReadonlySet<string>> => {
  const found = new Set(unpaid.map((id) => `completions/${id}`))
  for await (const value of tierValues(tier, { onDamage: ignore })) {
    const completion = value.table === 'ledger' ? completionOf(value) : undefined
    if (completion === undefined) continue
    found.add(placeOf(value)).add(`completions/${completion}`)
  }
  return found
}

const segmentsWith = async (tier: Tier, restricted: ReadonlySet<string>): Promise<ReadonlySet<string>> => {
  const segments = new Set<string>()
  let holds = false
  const reading = {
    onDamage: ignore,
    onRead: (name: string) => {
      if (holds) segments.add(name)
      holds = false
    },
  }
  for await (const value of tierValues(tier, reading)) holds ||= restricted.has(placeOf(value))
  return segments
}

interface Found {
  readonly restricted: ReadonlySet<string>
  readonly segments: ReadonlySet<string>
}

/** Values on their way at once. */
const AT_ONCE = 1000

const writeAnew = async (
  tier: Tier,
  { restricted, segments }: Found,
  { mark, seal }: SealOptions,
): Promise<Omit<SealReport, 'segments'> & { readonly read: ReadonlyMap<string, number> }> => {
  const hidden = TierLog.ofItsOwn(tier, segmentsFolder(mark))
  const open = TierLog.ofItsOwn(tier, segmentsFolder())
  let [sealed, kept, damagedBytes] = [0, 0, 0]
  const puts = underWay(AT_ONCE)
  // One that was not listed or not found now is not written anew, and stays.
  const read = new Map<string, number>()
  const reading = {
    skips: (name: string) => !segments.has(name),
    onRead: (name: string, bytes: number) => void read.set(name, bytes),
    onDamage: ({ bytes }: { readonly bytes: number }) => void (damagedBytes += bytes),
  }
  try {
    for await (const value of tierValues(tier, reading)) {
      const isRestricted = restricted.has(placeOf(value))
      if (isRestricted) sealed += 1
      else kept += 1
      const { table, id, payload } = isRestricted ? await seal(value) : value
      await puts.add((isRestricted ? hidden : open).put(table, id, payload))
    }
    await puts.ended()
  } finally {
    for (const log of [hidden, open]) await log.close()
  }
  return { read, sealed, kept, damagedBytes }
}
