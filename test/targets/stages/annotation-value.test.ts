import { describe, expect, it } from 'vitest'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { AnnotationPart } from '../../../benchmarks/scenario/metric-code.ts'
import { annotationValue } from '../../../targets/stages/code-annotator.ts'

const field = (
  name: string,
  type: AnnotationPart['type'],
  rest: Partial<AnnotationPart> = {},
): AnnotationPart => ({ name, type, least: null, most: null, nullable: false, ...rest })

const FIELDS = [
  field('label', 'text', { nullable: true }),
  field('sure', 'number', { least: 0, most: 1 }),
  field('found', 'boolean'),
  field('words', 'texts'),
  field('places', 'numbers', { least: 0 }),
]

const GOOD = { words: ['no'], label: null, sure: 0.5, found: false, places: [3, 1.5] }

describe('what a workspace’s annotator gives', () => {
  it('is kept in the order of its fields, ints as ints', () => {
    expect(dumps(annotationValue({ fields: FIELDS }, GOOD))).toBe(
      '{"label": null, "sure": 0.5, "found": false, "words": ["no"], "places": [3, 1.5]}',
    )
  })

  it('is the end of its field where rounding took it beyond', () => {
    const fields = [
      field('sure', 'number', { least: 0, most: 1 }),
      field('all', 'numbers', { least: 0, most: 1 }),
    ]
    expect(dumps(annotationValue({ fields }, { sure: 1 + 1e-15, all: [-1e-7, 0.5] }))).toBe(
      '{"sure": 1, "all": [0, 0.5]}',
    )
    expect(() => annotationValue({ fields }, { sure: 1 + 1e-5, all: [] })).toThrow(
      'sure is outside of 0 to 1',
    )
  })

  it.each([
    [{ ...GOOD, sure: 7 }, 'sure is outside of 0 to 1'],
    [{ ...GOOD, sure: '0.5' }, 'sure is no number'],
    [{ ...GOOD, sure: NaN }, 'sure is no number'],
    [{ ...GOOD, sure: null }, 'sure is null'],
    [{ ...GOOD, sure: undefined }, 'it gave no sure'],
    [{ ...GOOD, label: 1 }, 'label is no text'],
    [{ ...GOOD, label: '\ud800' }, 'label holds half of a surrogate pair'],
    [{ ...GOOD, found: 1 }, 'found is neither true nor false'],
    [{ ...GOOD, words: 'no' }, 'words is no list'],
    [{ ...GOOD, words: ['no', 1] }, 'words has an item, number 2, that is no text'],
    [{ ...GOOD, words: Array(2) }, 'words has an item, number 1, that is no text'],
    [{ ...GOOD, places: [-1] }, 'places has an item, number 1, that is outside of 0 to ∞'],
    [{ ...GOOD, more: 1 }, 'it gave "more", which is none of its fields'],
    [[], 'it gave no object of values by name'],
    [null, 'it gave no object of values by name'],
    ['no', 'it gave no object of values by name'],
  ])('is refused where it is %j', (given, message) => {
    expect(() => annotationValue({ fields: FIELDS }, given)).toThrow(message)
  })
})
