import { describe, expect, test } from 'vitest'
import {
  contentWords,
  countTokens,
  firstTokens,
  numbers,
  sentences,
} from '../../../../models/clients/baseline/words.ts'

describe('words', () => {
  test('are lower-case, without function words, decimals whole', () => {
    expect(contentWords('The pH of the blood is 7.35, and it is X-ray day')).toEqual([
      'ph',
      'blood',
      '7.35',
      'x-ray',
      'day',
    ])
  })

  test('of a name are no numbers', () => {
    expect(numbers('CURB-65 with H2 blockers, 1,200 mg, 7.5 mg/dL, 2-hour wait, 120/80.')).toEqual([
      '1,200',
      '7.5',
      '120',
    ])
  })
})

describe('sentences', () => {
  test('end at full stops and lines, not at decimals and titles', () => {
    expect(sentences('Dr. Ames saw 3.5 cm.\nNext visit is due. 2 weeks later? Yes!')).toEqual([
      'Dr. Ames saw 3.5 cm.',
      'Next visit is due.',
      '2 weeks later?',
      'Yes!',
    ])
  })
})

describe('tokens', () => {
  test('are cut at white space, which is kept between them', () => {
    expect(firstTokens(' one\n\ntwo  three', 2)).toBe(' one\n\ntwo')
    expect(firstTokens('one', 5)).toBe('one')
    expect(firstTokens('one', 0)).toBe('')
    expect([' one\n\ntwo  three', ' \n', ''].map(countTokens)).toEqual([3, 0, 0])
  })
})
