import { afterEach, expect, test, vi } from 'vitest'
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
