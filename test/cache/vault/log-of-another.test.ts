import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openStore } from '../../../cache/open-store.ts'
import { repairStore } from '../../../cache/repair-store.ts'
import { vaultFolder } from '../../../cache/store-folder.ts'
import { openVault } from '../../../cache/vault/open-vault.ts'
import { verifyStore } from '../../../cache/verify-store.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const KEY = { kind: 'environment', name: 'MEDMAKE_VAULT_KEY', text: 'a1'.repeat(32) } as const
const onEvent = (): void => undefined

it('A log that was copied over that of the store or the vault beside it is sound for neither, not even once it is repaired.', async () => {
  const folder = join(temporaryFolder(), 'store')
  const sealed = vaultFolder(folder)
  const stores = [
    await openStore({ path: folder, onEvent }),
    await openVault({ folder: sealed, origin: KEY, readOnly: false, onEvent }),
  ]
  for (const store of stores) {
    await store.put('ledger', 'a', { usd: 1 })
    await store.put('completions', 'a', 'a text, or none')
    await store.close()
  }
  for (const each of [folder, sealed])
    expect(await verifyStore(each)).toMatchObject({ sound: true, misplaced: 0 })
  const [log, sealedLog] = [folder, sealed].map((each) => join(each, 'values/00000001.log')) as [
    string,
    string,
  ]
  copyFileSync(log, `${log}.own`)
  copyFileSync(sealedLog, log)
  renameSync(`${log}.own`, sealedLog)
  for (const each of [folder, sealed]) {
    await repairStore(each)
    expect(await verifyStore(each)).toMatchObject({ sound: false, unreadable: [], misplaced: 1 })
  }
})
