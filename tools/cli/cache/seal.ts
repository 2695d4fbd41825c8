import { existsSync } from 'node:fs'
import { EXIT } from '../../../cache/problems/problem.ts'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Store } from '../../../cache/store.ts'
import { sealTier, type SealOptions } from '../../../cache/tier/seal-tier.ts'
import { createTakeOver } from '../../../cache/tier/take-over.ts'
import { encodeJson, type RawValue } from '../../../cache/values/encoded.ts'
import type { Json } from '../../../cache/values/json.ts'
import { findVaultKey } from '../../../cache/vault/vault-key.ts'
import { vaultExists, sealedStore } from '../../../cache/vault/open-vault.ts'
import { isUnpaid } from '../../../targets/record/unpaid-reply.ts'
import { paidBenchmark } from '../../../targets/spend/ledger.ts'
import type { Session } from '../../session/session.ts'
import { vaultImports } from '../../session/stores/noted-imports.ts'
import { restrictedNames } from '../../session/tier/sealed.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag } from '../flags.ts'
import { storeNote } from '../output/store-note.ts'
import type { Action } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { placesOf, usedTierOf } from './places.ts'

/** `medmake cache seal TIER`: for a benchmark that is not public any more. */
export const sealAction: Action = async (invocation) => {
  const { cwd, warn, print, flags } = invocation
  const { store, vault, origin } = await placesOf(invocation)
  const tier = await usedTierOf(invocation)
  const workspace = await findWorkspace(cwd)
  const { root, config } = workspace
  const { key } = findVaultKey(origin, { folder: vault, exists: vaultExists(vault), mayMake: false })
  const restricted = await restrictedNames(root)
  const imported = existsSync(store)
    ? await withSession({ ...invocation, args: [] }, { workspace }, (session) =>
        importsOf(restricted, session),
      )
    : new Map<string, string>()
  const lease = config.store.lease_seconds * 1000
  const sealed = new Set<string>()
  const seal = sealing((inner) => sealedStore(inner, key, () => undefined))
  const report = await sealTier(tier, {
    mark: key.mark,
    completionOf: ({ id, payload }) => {
      const benchmark = paidBenchmark(payload)
      if (benchmark === undefined || !restricted.has(benchmark)) return undefined
      sealed.add(benchmark)
      return id.split(':')[1]
    },
    unpaid: [...imported.keys()],
    seal: (value) => {
      const benchmark = value.table === 'completions' ? imported.get(value.id) : undefined
      if (benchmark !== undefined) sealed.add(benchmark)
      return seal(value)
    },
    whenLeft: createTakeOver({ tier, lease, now: () => performance.now() }, ({ length }) =>
      warn(storeNote({ type: 'tier-waiting', attempts: length, seconds: Math.ceil(lease / 1000) })),
    ),
  })
  const benchmarks = [...sealed].sort()
  if (boolFlag(flags, 'json')) print(JSON.stringify({ ...report, benchmarks }))
  else if (benchmarks.length === 0) print('nothing lies in the open that is not public')
  else
    print(
      `${benchmarks.join(', ')}: ${report.sealed} values sealed, ${report.kept} others kept in the open, ${report.segments} segments removed. A bucket that keeps versions keeps theirs, and backups do: remove them there.`,
    )
  if (report.damagedBytes > 0)
    warn(`${report.damagedBytes} bytes of these segments were damaged and are gone with them`)
  return EXIT.done
}

/**
 * Completions that no ledger tells of, and whose they are: imported ones, and the vault’s of models in this process; those in
 * the open are brought into the vault.
 */
const importsOf = async (
  benchmarks: ReadonlySet<string>,
  { store, vault, sealOpen }: Session,
): Promise<ReadonlyMap<string, string>> => {
  await sealOpen?.(benchmarks)
  const found = new Map<string, string>()
  const sealed = vault.exists() ? await vault.store() : undefined
  for (const { id } of sealed?.entries('completions') ?? [])
    if (sealed !== undefined && isUnpaid(id, sealed)) found.set(id, 'models in this process')
  for (const name of benchmarks)
    for (const id of await vaultImports(name, store, () => vault.store())) found.set(id, name)
  return found
}

/** A value as a sealed store would hand it to the disk. */
const sealing = (open: (inner: Store) => Store): SealOptions['seal'] => {
  let last: RawValue | undefined
  const put: Store['put'] = async (table, id, value) =>
    void (last = { table, id, payload: Buffer.from(encodeJson(value)) })
  const inner = Object.assign(memoryStore(), { put })
  const store = open(inner)
  return async ({ table, id, payload }) => {
    await store.put(table, id, JSON.parse(payload.toString('utf8')) as Json)
    if (last === undefined) throw new TypeError('a sealed store writes what it is given')
    return last
  }
}
