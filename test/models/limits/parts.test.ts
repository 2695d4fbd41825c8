import { describe, expect, test } from 'vitest'
import { CallWindow, createQueue } from '../../../models/limits/limiter.ts'
import { SlidingCount } from '../../../models/limits/learned-rate.ts'

describe('A window of calls', () => {
  test('starts low, doubles a round trip until the first rejection, then gains one a round trip.', () => {
    const window = new CallWindow(100)
    expect(window.size).toBe(8)
    for (let call = 0; call < 8; call += 1) window.accepted()
    expect(window.size).toBe(16)
    window.rejected()
    expect(window.size).toBe(11)
    for (let call = 0; call < 12; call += 1) window.accepted()
    expect(window.size).toBe(12)
  })

  test('never passes what is allowed, nor falls below one call.', () => {
    const window = new CallWindow(10)
    for (let call = 0; call < 50; call += 1) window.accepted()
    expect(window.size).toBe(10)
    for (let call = 0; call < 50; call += 1) window.rejected()
    expect(window.size).toBe(1)
    expect(new CallWindow(3).size).toBe(3)
  })
})

describe('A queue', () => {
  test('gives what came first, also after thousands were taken.', () => {
    const queue = createQueue()
    const taken: number[] = []
    for (let item = 0; item < 5000; item += 1) queue.add(() => taken.push(item))
    for (let item = 0; item < 3000; item += 1) queue.next()?.()
    expect(queue.size()).toBe(2000)
    for (let item = 5000; item < 5100; item += 1) queue.add(() => taken.push(item))
    while (queue.size() > 0) queue.next()?.()
    expect(taken).toEqual(Array.from({ length: 5100 }, (_, item) => item))
  })
})

describe('A count of the last minute', () => {
  test('forgets what is older, by the second.', () => {
    const count = new SlidingCount()
    for (const at of [0, 500, 1500]) count.add(at)
    expect(count.read(2000)).toEqual({ count: 3, span: 2000 })
    expect(count.read(59_999)).toEqual({ count: 3, span: 59_999 })
    expect(count.read(60_000)).toEqual({ count: 1, span: 60_000 })
    expect(count.read(61_000)).toEqual({ count: 0, span: 60_000 })
    count.add(300_000)
    expect(count.read(300_001)).toEqual({ count: 1, span: 60_000 })
  })

  test('has no span before the first.', () => {
    expect(new SlidingCount().read(5000)).toEqual({ count: 0, span: 0 })
  })
})
