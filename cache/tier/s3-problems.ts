import { connectionWords } from '../network/connection-words.ts'
import { EXIT, ProblemError } from '../problems/problem.ts'

export const noCredentials = (place: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-credentials',
    message: 'there are no keys for this bucket',
    where: { file: place },
    remedy:
      'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL where it takes them); `aws configure export-credentials --format env` prints them.',
  })

export const noBucket = (place: string): ProblemError =>
  new ProblemError({
    code: 'cache/no-tier',
    message: 'there is no such bucket',
    where: { file: place },
    remedy: 'Make the bucket, or mend its name, AWS_REGION or AWS_ENDPOINT_URL.',
  })

export const refused = (place: string, status: number): ProblemError =>
  new ProblemError({
    code: 'cache/tier-refused',
    message: `the server refuses these keys (${status})`,
    where: { file: place },
    remedy:
      'They must be valid still, and allow to list the bucket and to read and write objects below the prefix.',
  })

/** The run goes on with new ones; a scheduler that tried again with these would do so for ever. */
export const expired = (place: string): ProblemError =>
  new ProblemError(
    {
      code: 'cache/tier-refused',
      message: 'the keys for this bucket have expired',
      where: { file: place },
      remedy:
        'Take new ones and run it again: everything stored so far is kept. They must hold for as long as the run takes.',
    },
    { exitCode: EXIT.incomplete },
  )

export const otherClock = (place: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-refused',
    message: 'the server refuses what is signed here: this machine’s clock is off by more than it allows',
    where: { file: place },
    remedy: 'Set the clock of this machine, by NTP say. Nothing else here depends on it.',
  })

export const unreached = (place: string, cause: Error): ProblemError =>
  new ProblemError(
    {
      code: 'cache/no-tier',
      message: `the bucket's server can't be reached: ${connectionWords(cause, cause.message)}`,
      where: { file: place },
      remedy: 'Mend AWS_ENDPOINT_URL, AWS_REGION or the network.',
    },
    { cause },
  )

export const full = (place: string): ProblemError =>
  new ProblemError(
    {
      code: 'cache/disk-full',
      message: 'the bucket’s server has no room left (507)',
      where: { file: place },
      remedy: 'free some space or raise the quota and run again: everything stored so far is kept',
    },
    { exitCode: EXIT.incomplete },
  )

/** A server that does otherwise than the protocol says: what it holds can't be told. */
export const badReply = (place: string, what: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-reply',
    message: `the bucket's server does not do what is needed: ${what}`,
    where: { file: place },
    remedy:
      'Use a server that writes objects only if there is none (If-None-Match: *) and lists them by pages, or a folder.',
  })

export const badPlace = (field: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier',
    message: 'this is no address of a bucket',
    where: { field },
    remedy:
      'Write s3://bucket/prefix, and the server as https://host in AWS_ENDPOINT_URL. Keys go into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, never into an address.',
  })

export const otherRegion = (place: string, region: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-region',
    message: `the bucket lies in ${region}`,
    where: { file: place },
    remedy: `Set AWS_REGION=${region}.`,
  })

export const otherBytes = (object: string): ProblemError =>
  new ProblemError({
    code: 'cache/tier-reply',
    message: 'these are not the bytes that were written: nothing of them is taken over',
    where: { file: object },
    remedy:
      'Ask again; if it stays so, delete this object: the calls that are stored in it alone are made again.',
  })
