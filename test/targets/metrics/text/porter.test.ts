import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { stem } from '../../../../targets/metrics/text/porter.ts'
import { shared } from '../../../rig/shared.ts'

describe('the stemmer', () => {
  it.each([
    ['relational', 'relat'],
    ['hypertension', 'hypertens'],
    ['diabetes', 'diabet'],
    ['laboratories', 'laboratori'],
    ['generalizations', 'gener'],
    ['controlled', 'control'],
    ['happi', 'happi'],
  ])('follows Porter: %s', (word, expected) => expect(stem(word)).toBe(expected))

  it.each([
    ['dying', 'die'],
    ['skies', 'sky'],
    ['spied', 'spi'],
    ['died', 'die'],
    ['enjoyment', 'enjoy'],
    ['geologically', 'geolog'],
    ['succeed', 'succeed'],
  ])('follows NLTK where it departs from Porter: %s', (word, expected) => expect(stem(word)).toBe(expected))

  it('does not tire of a long run of y', () => {
    expect(stem('y'.repeat(100_000))).toHaveLength(100_000)
  })

  it.skipIf(shared('golden/metrics') === undefined)('gives all of NLTK 3.10.4’s stems', () => {
    const rows = readFileSync(shared('golden/metrics/stems.tsv') ?? '', 'utf8')
      .trimEnd()
      .split('\n')
    expect(rows).toHaveLength(26_335)
    const wrong = rows.filter((row) => {
      const [word = '', expected] = row.split('\t')
      return stem(word) !== expected
    })
    expect(wrong).toEqual([])
  })
})
