import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../../../cache/files/write.ts'
import { readFileSync } from '../../../cache/files/read.ts'
import { tierIdentity, type Tier } from '../../../cache/tier/tier.ts'

/** How much of a tier's segment was taken over, below 0 where some of it is damaged, and the benchmarks whose replies lie in it in the open. */
export interface KnownSegment {
  readonly bytes: number
  readonly benchmarks: readonly string[]
}

type Kept = Readonly<Record<string, Readonly<Record<string, KnownSegment>>>>

/** Beside a store. Without it all segments are read again. */
const fileOf = (folder: string): string => join(folder, 'tiers.json')

const readAll = (folder: string): Kept => {
  try {
    return JSON.parse(readFileSync(fileOf(folder), 'utf8')) as Kept
  } catch {
    return {}
  }
}

export const readKnown = (folder: string, tier: Tier): Map<string, KnownSegment> =>
  new Map(Object.entries(readAll(folder)[tierIdentity(tier)] ?? {}))

export const writeKnown = (folder: string, tier: Tier, known: ReadonlyMap<string, KnownSegment>): void =>
  replaceFile(
    fileOf(folder),
    JSON.stringify({ ...readAll(folder), [tierIdentity(tier)]: Object.fromEntries(known) }),
    { mode: 0o666 },
  )

/** For a store that may have lost what it took over: the next session reads all of each tier. */
export const forgetTiers = (folder: string): void => rmSync(fileOf(folder), { force: true })
