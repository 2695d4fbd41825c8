import { EXIT, ProblemError } from '../problems/problem.ts'
import { reasonOf } from '../problems/reason.ts'

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
