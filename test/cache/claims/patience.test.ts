import { afterEach, expect, test, vi } from 'vitest'
import { Patience } from '../../../cache/claims/claims.ts'

afterEach(() => void vi.restoreAllMocks())

test('who waits for long is told of once, by what is waited for, and each wait is as long as its own', () => {
  const clock = vi.spyOn(performance, 'now')
  const told: number[] = []
  const patience = new Patience((event) => told.push('holder' in event ? event.holder : 0), 1000)
  const waits = (now: number, holder: number, what?: string): readonly number[] => {
    clock.mockReturnValue(now)
    patience.waitsFor(holder, what)
    return told.splice(0)
  }
  expect([waits(0, -1), waits(999, -1), waits(1000, -1), waits(5000, -1)]).toEqual([[], [], [-1], []])
  // Somebody else holds it now: it is the same wait.
  expect(waits(5001, -2)).toEqual([-2])
  patience.over()
  expect([waits(6000, -3), waits(6999, -3), waits(7000, -3)]).toEqual([[], [], [-3]])
  expect([waits(7000, -4, 'a digest'), waits(8000, -4, 'a digest')]).toEqual([[], [-4]])
})
