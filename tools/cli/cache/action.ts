import { existsSync, rmSync } from 'node:fs'
import { collectGarbage } from '../../../cache/collect-garbage.ts'
import type { JsonObject } from '../../../cache/values/json.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { lastSeenFile } from '../../../cache/lmdb/last-seen.ts'
import { DiskStore } from '../../../cache/disk-store.ts'
import { openStore } from '../../../cache/open-store.ts'
import { repairStore } from '../../../cache/repair-store.ts'
import { storeStats } from '../../../cache/store-stats.ts'
import { vaultExists, vaultFolder, vaultRefusal } from '../../../cache/vault/open-vault.ts'
import { verifyStore } from '../../../cache/verify-store.ts'
import { dropLostBuilds, lostBuilds, type LostBuild } from '../../../targets/scheduler/lost-builds.ts'
import { reachable } from '../../session/reachable.ts'
import { resultStores } from '../../session/result-stores.ts'
import { storeNotes } from '../../session/session-vault.ts'
import { forgetTiers } from '../../session/tier/known-segments.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { withCommands } from '../common/command-of.ts'
import { boolFlag } from '../flags.ts'
import { bytesText } from '../output/bytes-text.ts'
import { storeNote } from '../output/store-note.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { mergeAction, pullAction, pushAction } from './merge.ts'
import { sealAction } from './seal.ts'
import { storePathOf } from '../common/session-flags.ts'
import { targetsOf } from '../common/suites.ts'

/** The files of store and vault, then what their builds stand on. */
const verifyAll = async (folder: string, invocation: Invocation): Promise<ExitCode> => {
  const { flags, print } = invocation
  const repairs = boolFlag(flags, 'repair')
  const look = repairs ? repair : verify
  if (!boolFlag(flags, 'json')) {
    const code = await withVault(folder, invocation, look)
    const builds = await buildsOf(invocation, repairs)
    for (const { name, table } of builds.slice(0, SHOWN))
      print(`${repairs ? 'to be built again' : 'stands on something lost'}: ${name} (${table})`)
    if (builds.length > SHOWN) print(`… and ${builds.length - SHOWN} more`)
    return repairs || builds.length === 0 ? code : EXIT.incomplete
  }
  let printed: JsonObject = {}
  const quiet = { ...invocation, print: (text: string) => void (printed = JSON.parse(text) as JsonObject) }
  const code = await withVault(folder, quiet, look)
  const builds = await buildsOf(invocation, repairs)
  print(JSON.stringify({ ...printed, lostBuilds: builds.map(({ name }) => name) }))
  return repairs || builds.length === 0 ? code : EXIT.incomplete
}

/** Builds that stand on something lost; dropped on demand. None can be told of while the index is damaged. */
const buildsOf = async (invocation: Invocation, drops: boolean): Promise<readonly LostBuild[]> => {
  try {
    return await withSession(invocation, { readOnly: !drops }, async (session) => {
      const stores = await resultStores(session)
      const { vault } = session
      // Of one that may not be read it was said.
      if (stores.vault === undefined && vault.exists() && vaultRefusal(vault.folder) === undefined)
        await vault.store().catch((error: unknown) => leaveOut(error, invocation))
      return drops ? dropLostBuilds(stores) : [...lostBuilds(stores)]
    })
  } catch (error) {
    if (error instanceof ProblemError && error.problems[0]?.code === 'cache/damaged') return []
    throw error
  }
}

/** Says why the vault is. @throws the error where it is no problem */
const leaveOut = (error: unknown, { warn }: Pick<Invocation, 'warn'>): void => {
  if (!(error instanceof ProblemError)) throw error
  for (const { message, remedy } of error.problems)
    warn(`what lies in the vault was left out: ${message}. ${remedy}`)
}

type Look = (
  folder: string,
  invocation: Pick<Invocation, 'flags' | 'print' | 'warn' | 'env'>,
) => Promise<ExitCode>

/**
 * Looks at the store, then at the vault beside it, whose key is not needed for that. One JSON object in any case: what
 * was found in the vault is its `vault`, null where this user may not read it.
 */
const withVault = async (folder: string, invocation: Invocation, look: Look): Promise<ExitCode> => {
  const { flags, print } = invocation
  const vault = vaultFolder(folder)
  if (!vaultExists(vault)) return look(folder, invocation)
  const refusal = vaultRefusal(vault)
  const lookInto = async (own: Parameters<Look>[1]): Promise<ExitCode> => {
    if (refusal === undefined) return look(vault, own)
    leaveOut(refusal, invocation)
    return EXIT.incomplete
  }
  if (!boolFlag(flags, 'json')) {
    const code = await look(folder, invocation)
    if (refusal === undefined) print(`vault ${vault}:`)
    return Math.max(code, await lookInto(invocation)) as ExitCode
  }
  const printed: JsonObject[] = []
  const quiet = { ...invocation, print: (text: string) => void printed.push(JSON.parse(text) as JsonObject) }
  const code = Math.max(await look(folder, quiet), await lookInto(quiet)) as ExitCode
  print(JSON.stringify({ ...printed[0], vault: printed[1] ?? null }))
  return code
}

const stats: Look = async (folder, { flags, print, warn }) => {
  const found = await storeStats(folder, (event) => warn(storeNote(event)))
  if (boolFlag(flags, 'json')) print(JSON.stringify(found))
  else {
    for (const { table, records, bytes } of found.tables)
      print(`${table.padEnd(12)} ${count(records)}  ${bytesText(bytes)}`)
    print(
      `${bytesText(found.valuesBytes)} of values in ${found.segments} files (${bytesText(found.unusedBytes)} unused), ${bytesText(found.indexBytes)} of index, ${bytesText(found.freeDiskBytes)} free on the disk`,
    )
  }
  return EXIT.done
}

/** Names that are worth a line each. */
const SHOWN = 20

const verify: Look = async (folder, { flags, print, warn }) => {
  const report = await verifyStore(folder, (event) => warn(storeNote(event)))
  const records = Object.fromEntries(report.records)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ ...report, records }))
  else {
    for (const [table, number] of report.records) print(`${table.padEnd(12)} ${count(number)} readable`)
    if (report.indexDamage !== undefined) print(`the index is damaged: ${report.indexDamage}`)
    for (const name of report.unreadable.slice(0, SHOWN)) print(`unreadable: ${name}`)
    if (report.unreadable.length > SHOWN) print(`… and ${report.unreadable.length - SHOWN} more`)
    if (report.unindexed > 0)
      print(
        `${report.unindexed.toLocaleString('en')} in the log that the index does not name: \`medmake cache verify --repair\` brings them back`,
      )
    print(report.sound ? 'sound' : 'damaged: run `medmake cache verify --repair`')
  }
  return report.sound ? EXIT.done : EXIT.incomplete
}

const repair: Look = async (folder, { flags, print, warn, env }) => {
  const report = await repairStore(folder, (event) => warn(storeNote(event)))
  forgetTiers(folder)
  // What could not be saved is told of here.
  rmSync(lastSeenFile(storeNotes(env), folder), { force: true })
  if (boolFlag(flags, 'json'))
    print(JSON.stringify({ ...report, records: Object.fromEntries(report.records) }))
  else {
    for (const [table, number] of report.records) print(`${table.padEnd(12)} ${count(number)} saved`)
    print(
      `${bytesText(report.lostBytes)} could not be read${report.kept === undefined ? '' : `; the old index is kept as ${report.kept}`}`,
    )
  }
  return EXIT.done
}

/** Paid replies are never dropped: only what can be made from them again, and only where no suite needs it. */
const gc = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, print, warn } = invocation
  const dryRun = boolFlag(flags, 'dryRun')
  const [report, sealed] = await withSession(invocation, { readOnly: dryRun }, async (session) => {
    const targets = await targetsOf({ ...invocation, args: [] }, session)
    const collect = async () => {
      const keep = await reachable(
        targets.map(({ target }) => target),
        session,
      )
      const { store, vault } = session
      return [
        await collectGarbage(store, keep, { dryRun }),
        vault.exists() ? await collectGarbage(await vault.store(), keep, { dryRun }) : [],
      ] as const
    }
    // What a run at work has stored is in no build yet.
    return session.store instanceof DiskStore && !dryRun ? session.store.exclusively(collect) : collect()
  })
  let freed = 0
  const folder = await folderOf(invocation)
  for (const path of dryRun ? [] : [folder, vaultFolder(folder)].filter((each) => existsSync(each))) {
    const store = await openStore({ path, onEvent: (event) => warn(storeNote(event)) })
    freed += await store
      .compact()
      .then(({ freedBytes }) => freedBytes)
      .finally(() => store.close())
  }
  if (boolFlag(flags, 'json')) print(JSON.stringify([...report, ...sealed.map(inVault)]))
  else {
    for (const [place, tables] of [['', report] as const, ['  in the vault', sealed] as const])
      for (const { table, kept, removed, removedBytes } of tables)
        print(
          `${table.padEnd(12)} ${count(kept)} kept, ${count(removed)} ${dryRun ? 'would go' : 'removed'} (${bytesText(removedBytes)})${place}`,
        )
    if (!dryRun) print(`${bytesText(freed)} given back to the disk`)
  }
  return EXIT.done
}

const inVault = <T extends object>(entry: T): T & { readonly vault: true } => ({ ...entry, vault: true })

const count = (value: number): string => value.toLocaleString('en').padStart(9)

const folderOf = async ({ cwd, env, flags }: Invocation): Promise<string> =>
  storePathOf(flags, { cwd, env, workspace: await findWorkspace(cwd) })

/** `medmake cache stats | verify | gc | merge | push | pull | seal`. */
export const cacheAction: Action = withCommands('cache', {
  stats: async (invocation) => withVault(await folderOf(invocation), invocation, stats),
  verify: async (invocation) => verifyAll(await folderOf(invocation), invocation),
  gc,
  merge: mergeAction,
  push: pushAction,
  pull: pullAction,
  seal: sealAction,
})
