import { afterEach, expect, test, vi } from 'vitest'
import type { Desk, DeskItem } from '../../../tools/rating-desk/desk.ts'
import { sealPack } from '../../../tools/rating-desk/pack.ts'
import { sealedDesk } from '../../../tools/rating-desk/page/sealed-desk.ts'
import { boxOf } from '../../../tools/rating-desk/seal.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('A sealed file that the browser keeps nothing of says so each time it is opened, not that another tab has it', async () => {
  const held = new Set<string>()
  const request = async (name: string, _: object, act: (lock: object | null) => unknown): Promise<void> => {
    if (held.has(name)) return void act(null)
    held.add(name)
    await act({})
    held.delete(name)
  }
  vi.stubGlobal('navigator', { locks: { request } })
  vi.stubGlobal('indexedDB', {
    open: () => ({
      error: null,
      addEventListener: (name: string, tell: () => void) => {
        if (name === 'error') tell()
      },
    }),
  })
  const named = { study: 'main', rater: 'ann', pack: 'ab' }
  const head = { rubrics: [], reference: 'closed', practice: 0 } as const
  const desk = sealedDesk(await sealPack(named, head, [], await boxOf('secret', named.pack)))
  for (const _ of [1, 2])
    await expect(desk.open('secret')).rejects.toThrow('keeps nothing of a page from disk')
})

/** A browser of its own, which keeps things. */
const stubBrowser = (): void => {
  const kept: object[] = []
  const base = {
    close: () => undefined,
    addEventListener: () => undefined,
    transaction: () => ({
      objectStore: () => ({
        add: (each: object) => kept.push(each),
        getAll: () => ({
          result: kept,
          addEventListener: (name: string, tell: () => void) => name === 'success' && tell(),
        }),
      }),
      addEventListener: (name: string, tell: () => void) => name === 'complete' && tell(),
    }),
  }
  vi.stubGlobal('navigator', {
    locks: { request: (_: string, __: object, act: (lock: object) => unknown) => act({}) },
  })
  vi.stubGlobal('indexedDB', {
    open: () => ({
      result: base,
      addEventListener: (name: string, tell: () => void) => name === 'success' && tell(),
    }),
  })
}

test('A copy of another device has the last word on what was rated there later, and on nothing else', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const pack = { study: 'main', rater: 'ann', pack: 'ab' }
  const head = { rubrics: [], reference: 'closed', practice: 0 } as const
  const items = [1, 2, 3].map(
    (number) => ({ number, question: '', answer: '', rubric: 0 }) as unknown as DeskItem,
  )
  const sealed = await sealPack(pack, head, items, await boxOf('secret', pack.pack))
  const rate = (desk: Desk, time: string, item: number, score: number): Promise<void> => {
    vi.setSystemTime(`2026-03-01T${time}:00Z`)
    return desk.save({
      item,
      scores: { a: score },
      reason: null,
      safety: false,
      comment: '',
      active_ms: 1,
      opened: [],
    })
  }
  stubBrowser()
  const other = sealedDesk(sealed)
  await other.open('secret')
  for (const [time, item, score] of [
    ['12:00', 1, 1],
    ['13:00', 2, 2],
  ] as const)
    await rate(other, time, item, score)
  const copy = (await other.file?.())?.text ?? ''
  stubBrowser()
  const desk = sealedDesk(sealed)
  await desk.open('secret')
  for (const [time, item, score] of [
    ['12:30', 1, 5],
    ['12:40', 2, 5],
    ['12:50', 3, 5],
  ] as const)
    await rate(desk, time, item, score)
  await desk.open('secret', copy)
  await desk.open('secret', copy)
  const given = await Promise.all([1, 2, 3].map(async (item) => (await desk.item(item)).given?.scores['a']))
  expect(given).toEqual([5, 2, 5])
  vi.useRealTimers()
})
