import { expect, test } from 'vitest'
import { readListing } from '../../../cache/tier/s3-tier.ts'

const page = (inner: string) => readListing(`<ListBucketResult>${inner}</ListBucketResult>`, 's3://evals')
const object = (key: string, size: string): string =>
  `<Contents><Key>${key}</Key><Size>${size}</Size></Contents>`

test('names come back as they were given, however a server spells a space or a plus', () => {
  const keys = ['a%20b', 'a+b', 'a%2Bb', '%C3%BC/1.log'].map((key) => object(key, '3')).join('')
  expect(page(keys)).toEqual({
    objects: ['a b', 'a b', 'a+b', 'ü/1.log'].map((key) => ({ key, bytes: 3 })),
  })
})

test('a page tells of the next one only where there is one', () => {
  const next = '<NextContinuationToken>more</NextContinuationToken>'
  expect(page(`${object('a', '0')}<IsTruncated>true</IsTruncated>${next}`)).toMatchObject({ next: 'more' })
  expect(page(`<IsTruncated>false</IsTruncated>${next}`)).toEqual({ objects: [] })
  expect(page(next)).toEqual({ objects: [] })
  expect(() => page('<IsTruncated>true</IsTruncated>')).toThrow('a listing is cut short')
})

test.each(['-1', '1.5', 'many'])('an object of %j bytes is none', (size) => {
  expect(() => page(object('a', size))).toThrow('a listing is none')
})
