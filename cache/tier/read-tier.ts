import { fstatSync } from 'node:fs'
import { parseRecordKey } from '../lmdb/index-entry.ts'
import { readPayload } from '../log/record.ts'
import { scanSegment } from '../log/scan-segment.ts'
import { isShared, type RawValue } from '../values/encoded.ts'
import type { StoreTable } from '../store.ts'
import { segmentsFolder, unreadable, type Tier, type TierFile } from './tier.ts'

/** What a reading of a tier met that is no value: told of, left out. */
export interface TierDamage {
  readonly segment: string
  readonly bytes: number
}

interface TierReading {
  /** Of the vault's key; absent for what lies in the open. */
  readonly mark?: string
  readonly onDamage: (damage: TierDamage) => void
  /** Segments to leave out, by name and bytes: what was read before is there. */
  readonly skips?: (name: string, bytes: number) => boolean
  /** What of a segment is wanted; all unless given. */
  readonly wants?: (name: string, table: StoreTable) => boolean
  /** A segment was read to its end, or to where its writer is at work. */
  readonly onRead?: (name: string, bytes: number) => void
}

/** Marks of the vaults of which a tier holds something. What file managers and buckets' consoles leave is no segment. */
export const tierMarks = async (tier: Tier): Promise<readonly string[]> => [
  ...new Set(
    (await tier.list('segments-sealed')).flatMap(({ name }) => /\/(.+?)\/.*\.log$/.exec(name)?.[1] ?? []),
  ),
]

/** Whether anything lies there that another key sealed. */
export const holdsOtherKeys = async (tier: Tier, mark: string | undefined): Promise<boolean> =>
  (await tierMarks(tier)).some((each) => each !== mark)

/**
 * All values of a tier's segments, in no order that matters; several of one id are possible. The unfinished end of a
 * segment is its writer's business.
 */
export async function* tierValues(
  tier: Tier,
  { mark, onDamage, skips = () => false, wants = () => true, onRead }: TierReading,
): AsyncGenerator<RawValue, void, undefined> {
  const seen = new Set<string>()
  for (let looks = 1; ; looks += 1) {
    const wanted = (await tier.list(segmentsFolder(mark))).filter(
      ({ name, bytes }) =>
        name.endsWith('.log') && !seen.has(name) && !(bytes !== undefined && skips(name, bytes)),
    )
    let gone: string | undefined
    for await (const { name, file, isWhole } of openAhead(tier, wanted)) {
      if (file === undefined) {
        gone = name
        continue
      }
      seen.add(name)
      const size = fstatSync(file).size
      if (skips(name, size)) continue
      const found = { file, isWhole, onDamage: (lost: number) => onDamage({ segment: name, bytes: lost }) }
      for (const value of segmentValues(found)) if (wants(name, value.table)) yield value
      onRead?.(name, size)
    }
    if (gone === undefined) return
    // Whoever sealed it wrote its values anew, under a name that was not listed yet.
    if (looks === LOOKS) throw unreadable(tier.place, new Error(`${gone} is listed, and is not there`))
  }
}

/** Times that a tier is listed of which a segment was gone. */
const LOOKS = 3

/** Segments that are on their way at once, and the bytes of them: each takes a while to come from a bucket. */
const AHEAD = 16
const BYTES_AHEAD = 64 * 1024 * 1024

interface Segment {
  readonly file: number
  /** Nobody writes to it any more. */
  readonly isWhole: boolean
}

interface Coming extends Pick<Segment, 'isWhole'> {
  readonly name: string
  readonly bytes: number
  readonly opened: ReturnType<Tier['open']>
}

/** Segments in order, without a file those that are gone; each is closed with the next. */
async function* openAhead(
  tier: Tier,
  files: readonly TierFile[],
): AsyncGenerator<Pick<Coming, 'name' | 'isWhole'> & { readonly file?: number }, void, undefined> {
  const coming: Coming[] = []
  let [next, bytesAhead] = [0, 0]
  const fill = (): void => {
    for (let file = files[next]; file !== undefined && coming.length < AHEAD; file = files[next]) {
      const { name, bytes = 0 } = file
      if (coming.length > 0 && bytesAhead + bytes > BYTES_AHEAD) return
      const opened = tier.open(name)
      // Whoever takes it meets its error.
      opened.catch(() => undefined)
      coming.push({ name, bytes, isWhole: file.bytes !== undefined, opened })
      bytesAhead += bytes
      next += 1
    }
  }
  try {
    for (fill(); coming[0] !== undefined; fill()) {
      const [{ name, bytes, isWhole, opened }] = coming as [Coming]
      const segment = await opened
      coming.shift()
      bytesAhead -= bytes
      try {
        yield { name, isWhole, ...segment }
      } finally {
        segment?.close()
      }
    }
  } finally {
    for (const { opened } of coming) (await opened.catch(() => undefined))?.close()
  }
}

function* segmentValues({
  file,
  isWhole,
  onDamage,
}: Segment & { readonly onDamage: (bytes: number) => void }): Generator<RawValue, void, undefined> {
  for (const finding of scanSegment(file)) {
    if (finding.type === 'damage' || (finding.type === 'unfinished' && isWhole)) onDamage(finding.size)
    if (finding.type !== 'record' || finding.header.kind !== 'value') continue
    const parsed = parseRecordKey(finding.key)
    if (parsed === undefined || !isShared(parsed.table)) continue
    const payload = readPayload(finding.bytes, finding.key)
    if (payload === undefined) onDamage(finding.size)
    else yield { ...parsed, payload }
  }
}
