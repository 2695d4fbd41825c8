import { expect, test } from 'vitest'
import { memoryStore } from '../../../../cache/memory-store.ts'
import {
  importsOfOthers,
  moveNote,
  noteImports,
  openImports,
  vaultImports,
} from '../../../../tools/session/stores/noted-imports.ts'

const bytes = (store: ReturnType<typeof memoryStore>): number =>
  [...store.entries('files')].reduce((sum, { id }) => sum + JSON.stringify(store.get('files', id)).length, 0)

test('Each import adds its own replies to those that were noted, and they go along together.', async () => {
  const [open, vault] = [memoryStore(), memoryStore()]
  const inVault = () => vaultImports('letters', open, () => Promise.resolve(vault))
  // As versions before this one noted them.
  await open.put('files', 'imported:letters', ['a'])
  await noteImports('letters', new Set(['b', 'c']), open, true)
  await noteImports('letters', new Set(['c', 'd']), open, true)
  await noteImports('notes', new Set(['e']), open, true)
  expect(openImports('letters', open)).toEqual(['a', 'b', 'c', 'd'])
  expect(importsOfOthers(new Set(['letters']), open)).toEqual(['e'])
  expect(await inVault()).toEqual([])

  await moveNote('letters', openImports('letters', open), { open, vault, isPublic: false })
  expect([openImports('letters', open), await inVault()]).toEqual([[], ['a', 'b', 'c', 'd']])
  expect(
    [...open.entries('files')].map(({ id }) => id).filter((id) => id.startsWith('imported')),
  ).toHaveLength(2)
  await moveNote('letters', await inVault(), { open, vault, isPublic: true })
  expect([openImports('letters', open), await inVault()]).toEqual([['a', 'b', 'c', 'd'], []])
})

test('What an import notes does not grow with those before it.', async () => {
  const store = memoryStore()
  const note = async (run: number): Promise<number> => {
    const before = bytes(store)
    const ids = Array.from({ length: 100 }, (_, row) => `${run} ${row}`.padStart(64, '0'))
    await noteImports('letters', new Set(ids), store, true)
    return bytes(store) - before
  }
  const first = await note(0)
  for (let run = 1; run < 9; run += 1) await note(run)
  expect(await note(9)).toBeLessThanOrEqual(first)
  expect(openImports('letters', store)).toHaveLength(1000)
})
