import { createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { contentType } from './serve/static-path.ts'

/** A file to send. */
export interface FoundFile {
  readonly path: string
  readonly size: number
  /** When it was written, in milliseconds. */
  readonly modified: number
}

/** Types that get smaller; pictures and archives are compressed already. */
const SHRINKS = /^(?:text\/|application\/json|image\/svg)/
/** Below it the headers cost more than they save. */
const LEAST_BYTES = 1024
/** The most that pays at the time of asking. */
const BROTLI_QUALITY = 5

/** Sends a file, compressed where that is asked for; only that it is the same where the asker has it. */
export const sendFile = async (
  request: IncomingMessage,
  response: ServerResponse,
  { path, size, modified }: FoundFile,
  headers: Readonly<Record<string, string>>,
): Promise<void> => {
  const type = contentType(path)
  // Weak: the same for the file and what it is compressed to.
  const tag = `W/"${size.toString(36)}-${Math.floor(modified * 1000).toString(36)}"`
  const shrinks = SHRINKS.test(type) && size >= LEAST_BYTES
  const always = { ...headers, ETag: tag, ...(shrinks ? { Vary: 'Accept-Encoding' } : {}) }
  if (matches(request.headers['if-none-match'], tag)) {
    response.writeHead(304, always)
    response.end()
    return
  }
  const encoding = shrinks ? encodingOf(request.headers['accept-encoding']) : undefined
  response.writeHead(200, {
    'Content-Type': type,
    ...(encoding === undefined ? { 'Content-Length': size } : { 'Content-Encoding': encoding }),
    ...always,
  })
  if (request.method === 'HEAD' || size === 0) {
    response.end()
    return
  }
  // `end`: a file that grows meanwhile must not outgrow the length that was announced.
  const file = createReadStream(path, { end: size - 1 })
  if (encoding === undefined) await pipeline(file, response)
  else await pipeline(file, compressor(encoding), response)
}

/** Whether a list of tags, or `*`, names the file as it is. */
const matches = (given: string | undefined, tag: string): boolean =>
  given !== undefined &&
  given.split(',').some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === tag.slice(2))

type Encoding = 'br' | 'gzip'

/** What is wanted most, of what is wanted alike the smaller; `br;q=0` is not wanted. */
const encodingOf = (accepted: string | undefined): Encoding | undefined => {
  const wanted = new Map(
    (accepted ?? '').split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase())
      const weight = parameters.find((part) => part.startsWith('q='))
      return [name, weight === undefined ? 1 : Number(weight.slice(2))] as const
    }),
  )
  const weightOf = (encoding: Encoding): number => (wanted.get(encoding) ?? wanted.get('*')) || 0
  const [best = 'br'] = (['br', 'gzip'] as const).toSorted((a, b) => weightOf(b) - weightOf(a))
  return weightOf(best) > 0 ? best : undefined
}

const compressor = (
  encoding: Encoding,
): ReturnType<typeof createGzip> | ReturnType<typeof createBrotliCompress> =>
  encoding === 'gzip'
    ? createGzip()
    : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })
