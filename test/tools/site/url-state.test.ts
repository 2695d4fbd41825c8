import { assert, dictionary, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsState, readUrlState, urlStateText } from '../../../tools/site/url-state.ts'

const DEFAULTS = { sort: '', category: 'all', transposed: 'no' }

describe('the state in an address', () => {
  test('names what differs from the defaults, in their order', () => {
    const state = { transposed: 'yes', category: 'Care & Cure = 1', sort: '' }
    expect(urlStateText(state, DEFAULTS)).toBe('#category=Care+%26+Cure+%3D+1&transposed=yes')
    expect(urlStateText(DEFAULTS, DEFAULTS)).toBe('')
  })

  test('comes back whole, whatever its texts hold', () => {
    assert(
      property(string(), string(), (sort, category) => {
        const state = { ...DEFAULTS, sort: sort.toWellFormed(), category: category.toWellFormed() }
        expect(readUrlState(urlStateText(state, DEFAULTS), DEFAULTS)).toEqual(state)
      }),
    )
  })

  test('has no fields but the page’s own', () => {
    assert(
      property(dictionary(string(), string()), (fields) => {
        const hash = `#${new URLSearchParams(fields).toString()}`
        expect(Object.keys(readUrlState(hash, DEFAULTS))).toEqual(Object.keys(DEFAULTS))
      }),
    )
  })

  test('is not read from a fragment that names a place', () => {
    expect(['', '#', '#sort=a'].map(holdsState)).toEqual([true, true, true])
    expect(['#main', '#p2-3'].map(holdsState)).toEqual([false, false])
  })
})
