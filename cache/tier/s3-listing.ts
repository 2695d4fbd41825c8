import { SaxesParser } from 'saxes'
import { badReply } from './s3-request.ts'
import { reasonOf } from '../problems/problem.ts'

/** A page. */
export interface Listing {
  readonly objects: readonly { readonly key: string; readonly bytes: number }[]
  /** Token of the next page; undefined on the last one. */
  readonly next?: string
}

/** A page of ListObjectsV2. @throws ProblemError `cache/tier-reply` for what is none */
export const readListing = (text: string, place: string): Listing => {
  const path: string[] = []
  const objects: { key: string; bytes: number }[] = []
  const page: Record<string, string> = {}
  let object: Record<string, string> = {}
  const parser = new SaxesParser()
  parser.on('text', (part) => {
    const name = path.at(-1) ?? ''
    const into = path[1] === 'Contents' ? object : page
    into[name] = (into[name] ?? '') + part
  })
  parser.on('closetag', () => {
    if (path.pop() !== 'Contents') return
    objects.push({
      key: decodeURIComponent((object['Key'] ?? '').replaceAll('+', ' ')),
      bytes: Number(object['Size']),
    })
    object = {}
  })
  let isListing = false
  parser.on('opentag', ({ name }) => {
    isListing ||= name === 'ListBucketResult'
    path.push(name)
  })
  try {
    parser.write(text).close()
  } catch (error) {
    throw badReply(place, `a listing can't be read: ${reasonOf(error)}`)
  }
  if (!isListing || objects.some(({ bytes }) => !Number.isSafeInteger(bytes) || bytes < 0))
    throw badReply(place, 'a listing is none')
  const next = page['NextContinuationToken']
  if (page['IsTruncated'] !== 'true') return { objects }
  if (next === undefined) throw badReply(place, 'a listing is cut short')
  return { objects, next }
}
