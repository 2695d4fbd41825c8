import { describe, expect, it } from 'vitest'
import { readRateHeaders } from '../../../models/limits/learned-rate.ts'

const NOW = Date.parse('2026-02-03T04:05:06Z')
const read = (headers: Readonly<Record<string, string>>) => readRateHeaders((name) => headers[name], NOW)

describe('rate headers', () => {
  it.each([
    ['6m0.5s', 360_500],
    ['20ms', 20],
    ['1.5', 1500],
    ['1h2m', 3_720_000],
    [String(NOW + 3000), 3000],
    [String(NOW / 1000 + 4), 4000],
    ['2026-02-03T04:05:16Z', 10_000],
    ['2026-02-03T04:05:00Z', 0],
  ])('read a reset of %s as %i ms', (text, milliseconds) => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': text }
    expect(read(headers).requests).toEqual({ remaining: 0, reset: milliseconds })
  })

  it('tell a date by the clock of the server, which says what it is', () => {
    const headers = {
      date: 'Mon, 02 Feb 2026 04:05:06 GMT',
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '2026-02-02T04:05:16Z',
    }
    expect(read(headers).requests).toEqual({ remaining: 0, reset: 10_000 })
  })

  it('are read in the form of Anthropic, too', () => {
    const headers = {
      'anthropic-ratelimit-tokens-limit': '80000',
      'anthropic-ratelimit-tokens-remaining': '1000',
      'anthropic-ratelimit-tokens-reset': '2026-02-03T04:05:36Z',
    }
    expect(read(headers)).toEqual({ tokens: { limit: 80_000, remaining: 1000, reset: 30_000 } })
  })

  it('say nothing where they are halves or noise', () => {
    expect(read({ 'x-ratelimit-remaining-requests': '3' })).toEqual({})
    expect(read({ 'x-ratelimit-reset-requests': '3' })).toEqual({})
    expect(read({ 'x-ratelimit-remaining-tokens': 'many', 'x-ratelimit-reset-tokens': 'soon' })).toEqual({})
  })
})
