import { array, assert, asyncProperty, integer, nat } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOrder } from '../../../targets/walk/walk.ts'

describe('work in order', () => {
  it('hands results on in the order of the items, whichever ends first, never more than the limit at a time', async () => {
    await assert(
      asyncProperty(array(nat(3), { maxLength: 30 }), integer({ min: 1, max: 5 }), async (turns, limit) => {
        const taken: number[] = []
        let running = 0
        let most = 0
        const count = await inOrder(
          turns.length,
          limit,
          async (index) => {
            running += 1
            most = Math.max(most, running)
            for (let turn = 0; turn < (turns[index] ?? 0); turn += 1)
              await new Promise((resolve) => setImmediate(resolve))
            running -= 1
            return index
          },
          (result) => taken.push(result),
          () => false,
        )
        expect(taken).toEqual(turns.map((_, index) => index))
        expect(count).toBe(turns.length)
        expect(most).toBeLessThanOrEqual(limit)
      }),
    )
  })

  it('throws the first of several errors', async () => {
    const work = inOrder(
      3,
      3,
      async (index) => {
        for (let turn = 0; turn < index; turn += 1) await new Promise((resolve) => setImmediate(resolve))
        throw new Error(`of item ${index}`)
      },
      () => {},
      () => false,
    )
    await expect(work).rejects.toThrow('of item 0')
  })

  it('begins nothing after an error, waits for what was begun, then throws it', async () => {
    const begun: number[] = []
    let ended = 0
    const work = inOrder(
      100,
      3,
      async (index) => {
        begun.push(index)
        await new Promise((resolve) => setImmediate(resolve))
        if (index === 4) throw new Error('broken')
        ended += 1
      },
      () => {},
      () => false,
    )
    await expect(work).rejects.toThrow('broken')
    expect(begun.length).toBeLessThan(10)
    expect(ended).toBe(begun.length - 1)
  })

  it('runs so far ahead of the first that is not done, and ends with its error though others wait for it', async () => {
    let begun = 0
    let tell: () => void = () => undefined
    const far = new Promise<void>((resolve) => (tell = resolve))
    const work = inOrder(
      10_000,
      2,
      async (index) => {
        begun += 1
        if (begun === 4096) setImmediate(() => setImmediate(tell))
        if (index > 0) return
        await far
        throw new Error('the first')
      },
      () => {},
      () => false,
    )
    await expect(work).rejects.toThrow('the first')
    expect(begun).toBe(4096)
  })

  it('stops early when asked to and says how far it came', async () => {
    let done = 0
    const count = await inOrder(
      10,
      1,
      () => Promise.resolve(++done),
      () => {},
      () => done >= 4,
    )
    expect(count).toBe(4)
  })
})
