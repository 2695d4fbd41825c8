import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, writeFileSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolder } from '../../../cache/files/folders.ts'
import { named } from '../../../cache/files/write.ts'
import { request } from 'undici'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { retried } from '../../../cache/network/retried.ts'
import { objectUrl, WAITS, type Bucket, type BucketObject, type FetchOptions } from './bucket.ts'
import { Crc32c } from './crc32c.ts'

/**
 * Fetches an object into a file that appears only when it has the listing's size and checksums. A broken download goes
 * on where it broke, in a later process, too.
 *
 * @throws ProblemError `release/download`, `release/wrong-checksum`, both naming the object
 */
export const fetchObject = async (
  bucket: Bucket,
  object: BucketObject,
  file: string,
  options: FetchOptions,
): Promise<void> => {
  const isHere = object.size > 0 && (await sizeOf(file)) === object.size
  if (isHere && (await checksumFault(object, file)) === undefined) return
  const part = `${file}.part`
  makeFolder(dirname(file))
  const problem = (reason: string, cause?: unknown): ProblemError => downloadProblem(object, reason, cause)
  await retried(
    () => fetchRest(bucket, object, part, options),
    {
      waits: WAITS,
      ...options,
      url: objectUrl(bucket, object.name),
      isPublic: false,
      progress: () => sizeOf(part),
    },
    problem,
  )
  const fault = await checksumFault(object, part)
  if (fault !== undefined) {
    // What is wrong can't be gone on with.
    await rm(part, { force: true })
    throw new ProblemError(
      {
        code: 'release/wrong-checksum',
        message: `${object.name}: ${fault}`,
        remedy: 'Import again; if it stays, the published file is damaged: tell its publisher.',
      },
      { exitCode: 1 },
    )
  }
  // What lies in place is not fetched again.
  const written = await open(part, 'r+')
  await written.sync().finally(() => written.close())
  await rename(part, file)
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

const fetchRest = async (
  bucket: Bucket,
  object: BucketObject,
  part: string,
  { signal }: FetchOptions,
): Promise<void> => {
  let here = await sizeOf(part)
  if (here > object.size) {
    await rm(part)
    here = 0
  }
  if (here === object.size && object.size > 0) return
  const headers = here === 0 ? {} : { range: `bytes=${here}-` }
  const response = await request(objectUrl(bucket, object.name), { headers, signal })
  const { statusCode, body } = response
  const resumed = statusCode === 206 && String(response.headers['content-range']).startsWith(`bytes ${here}-`)
  if (statusCode !== 200 && !resumed) {
    await body.dump()
    const status = `the server answered ${statusCode}`
    throw statusCode === 429 || statusCode >= 500 ? new Error(status) : downloadProblem(object, status)
  }
  if (!(await append(body, part, resumed ? here : 0, object.size))) {
    await rm(part, { force: true })
    throw downloadProblem(object, `it is longer than the ${object.size} bytes of the listing`)
  }
  const received = await sizeOf(part)
  if (received !== object.size) throw new Error(`got ${received} of ${object.size} bytes`)
}

/**
 * Writes what arrives at once: a connection that breaks throws away what waits in a stream, and a server that breaks
 * off early each time would then never be done.
 * @returns false where more came than the file may have; what came beyond is not written
 */
const append = (body: Readable, part: string, here: number, size: number): Promise<boolean> => {
  const file = openSync(part, here > 0 ? 'a' : 'w')
  let received = here
  return new Promise<boolean>((resolve, reject) => {
    body.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > size) {
        resolve(false)
        body.destroy()
        return
      }
      try {
        writeFileSync(file, chunk)
      } catch (error) {
        body.destroy(named(error, part) as Error)
      }
    })
    body.once('end', () => resolve(true))
    body.once('error', reject)
  }).finally(() => closeSync(file))
}

/** What of the listing a file does not match. */
const checksumFault = async (object: BucketObject, file: string): Promise<string | undefined> => {
  const md5 = createHash('md5')
  const crc = new Crc32c()
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    md5.update(chunk)
    crc.update(chunk)
  }
  if (object.md5Hash !== undefined && md5.digest('base64') !== object.md5Hash)
    return 'its md5 is not the one in the listing'
  if (object.crc32c !== undefined && crc.base64() !== object.crc32c)
    return 'its crc32c is not the one in the listing'
  return undefined
}

const downloadProblem = ({ name }: BucketObject, reason: string, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'release/download',
      message: `${name} can't be downloaded: ${reason}`,
      remedy: 'Check the network and import again: what has arrived is kept.',
    },
    { cause, exitCode: 1 },
  )
