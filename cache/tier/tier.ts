import { join } from 'node:path/posix'
import type { Digest } from '../values/digest.ts'
import { EXIT, ProblemError, reasonOf } from '../problems/problem.ts'

/**
 * What several machines share, as few things as every place of theirs can do: files are made once, under a name that
 * nobody else takes, and never replaced; only the file that a writer made is appended to, by it alone. So no lock is
 * needed that a network file system would have to keep. Names are relative to the tier, with `/`.
 */
export interface Tier {
  /** As the user named it. */
  readonly place: string
  /** Which of the servers on which there may be one of that name. */
  readonly server?: string
  /** Names below a folder, sorted; none where there is no such folder. */
  list(folder: string): Promise<readonly TierFile[]>
  /** Undefined where there is none. */
  read(name: string): Promise<Buffer | undefined>
  /** A file descriptor on its bytes as they are now; undefined where there is none. */
  open(name: string): Promise<{ readonly file: number; readonly close: () => void } | undefined>
  /** Makes a file, whole and lasting, unless there is one: false then. */
  create(name: string, bytes: Buffer | string): Promise<boolean>
  /** Takes a file away, if there is one: only for `seal`, once so many bytes, all of it, lie elsewhere. False where it grew. */
  remove(name: string, bytes: number): Promise<boolean>
  /** Proves that what is written now reaches the tier; `name` is one of one's own. */
  beat(name: string): Promise<void>
  /** Appends to files `BASE.0.log`, `BASE.1.log`, …, the first of which comes into being with the first bytes. */
  writer(base: string): TierWriter
  /** Milliseconds between two groups of records, where each costs something. */
  readonly pause: number
}

/** What tells it from all others. */
export const tierIdentity = ({ place, server }: Pick<Tier, 'place' | 'server'>): string =>
  server === undefined ? place : `${server} ${place}`

export interface TierFile {
  readonly name: string
  /** Only where it is known without asking each file, and can't change. */
  readonly bytes?: number
}

/** Of one writer. After an error nobody knows what is there: nothing more may be appended. */
export interface TierWriter {
  /** Resolves when the bytes are there to stay. */
  append(bytes: Buffer): Promise<void>
  close(): Promise<void>
}

/** The layout's version: another one never mixes with it. */
export const FORMAT = 'medmake-1'

/** Bytes of a segment at which its writer begins another. */
export const TIER_SEGMENT = 256 * 1024 * 1024

/** Names of what belongs to a plan hold so much of its digest. */
const shortPlan = (plan: Digest<'plan'>): string => plan.slice(0, 12)

export const planFile = (plan: Digest<'plan'>): string => `plan/${plan}.json`
export const attemptsFolder = (plan: Digest<'plan'>): string => join('attempts', shortPlan(plan))
export const endsFolder = (plan: Digest<'plan'>): string => join('done', shortPlan(plan))

/**
 * Where segments lie: those of a plan's tasks by plan, others' at the top.
 * @param mark of the vault's key, which tells keys apart; undefined for what lies in the open
 */
export const segmentsFolder = (mark?: string, plan?: Digest<'plan'>): string =>
  join(
    ...(mark === undefined ? ['segments'] : ['segments-sealed', mark]),
    ...(plan === undefined ? [] : [shortPlan(plan)]),
  )

/** Whoever shares something makes a file below one of these. */
export const USED_FOLDERS = ['segments', 'segments-sealed', 'attempts', 'plan', 'probe'] as const

export const staleListing = (place: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-reply',
    message:
      'this tier does not list what was written to it a while ago: two tasks could both be sure of a shard',
    where: { file: place },
    remedy:
      'Take a bucket or folder whose listings are up to date, or raise store.lease_seconds: it may be late by a quarter of it.',
  })

/** A tier that was there before. */
export const unreadable = (place: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'cache/tier-unreadable',
      message: `the tier can't be read: ${reasonOf(cause)}`,
      where: { file: place },
      remedy: 'Check its mount or network and your rights, then run again: everything stored so far is kept.',
    },
    { cause, exitCode: EXIT.incomplete },
  )

export const notExclusive = (place: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-reply',
    message: 'this tier lets a name be made twice: two tasks could write over one another',
    where: { file: place },
    remedy:
      'Take a server that writes objects only if there is none (If-None-Match: *), or a folder; `medmake doctor --tier` tries one.',
  })

/** @param benchmarks in order */
export const openOnTier = (place: string, benchmarks: readonly string[]): ProblemError =>
  new ProblemError(
    {
      code: 'cache/open-on-tier',
      message: `replies of ${benchmarks.join(', ')} lie on the tier in the open, and ${benchmarks.length === 1 ? 'it is' : 'they are'} not public`,
      where: { file: place },
      remedy: `Nothing was called. \`medmake cache seal ${place}\` seals them there for whoever has the vault's key.`,
    },
    { exitCode: EXIT.dataAgreement },
  )

/** Nothing that is read from it could be found. */
export const neverUsed = (place: string): ProblemError =>
  new ProblemError({
    code: 'cache/no-tier',
    message: 'nobody shared anything here: no run with --tier, no `medmake cache push`',
    where: { file: place },
    remedy:
      'Name the place that the others name after --tier; what lies in a store, not on a tier, is taken by `medmake cache merge`.',
  })
