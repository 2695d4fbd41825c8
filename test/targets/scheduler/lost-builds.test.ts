import { expect, test } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Store, StoreTable } from '../../../cache/store.ts'
import { guardedStore } from '../../../cache/vault/open-vault.ts'
import { dropLostBuilds, lostBuilds } from '../../../targets/scheduler/lost-builds.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import { madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'

const TABLES = ['instances', 'prompts', 'completions', 'metrics'] as const

/** A public run and a private one, whose texts lie in the vault. */
const built = async () => {
  const [records, vault] = [memoryStore(), memoryStore()]
  const restricted = async () => ({ store: guardedStore(records, vault) })
  const { env } = await madeUpRun(() => textReply('yes'), { records, vault, more: { restricted } })
  const instances = madeUpInstances([['Well?', 'yes']])
  await buildTargets(
    [
      madeUpTarget({ instances }),
      madeUpTarget({ instances, access: 'private', model: 'm/b', benchmark: { name: 'notes' } }),
    ],
    env,
  )
  return { open: records, vault }
}

const lost = (stores: { readonly open: Store; readonly vault: Store | undefined }) =>
  [...lostBuilds(stores)].map(({ name, table }) => `${name} ${table}`)

const removeAll = async (store: Store, table: StoreTable): Promise<void> => {
  for (const { id } of store.entries(table)) await store.remove(table, id)
}

test('A build stands on its instances, prompts, replies and values, each in the store of its texts.', async () => {
  expect(lost(await built())).toEqual([])
  for (const table of TABLES) {
    const stores = await built()
    await removeAll(stores.vault, table)
    expect(lost(stores)).toEqual([`letters:model=m_b ${table}`])
    // Of a vault that is not at hand nothing is said.
    expect(lost({ ...stores, vault: undefined })).toEqual([])
    await removeAll(stores.open, table)
    expect(lost(stores).toSorted()).toEqual([`letters:model=m_a ${table}`, `letters:model=m_b ${table}`])
  }
})

test('Builds that lost something are forgotten, and no others.', async () => {
  const stores = await built()
  await removeAll(stores.vault, 'completions')
  expect((await dropLostBuilds(stores)).map(({ name }) => name)).toEqual(['letters:model=m_b'])
  expect(lost(stores)).toEqual([])
  await removeAll(stores.open, 'completions')
  expect(lost(stores)).toEqual(['letters:model=m_a completions'])
})
