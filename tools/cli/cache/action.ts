import { existsSync, rmSync } from 'node:fs'
import { collectGarbage } from '../../../cache/collect-garbage.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { lastSeenFile } from '../../../cache/lmdb/index-files.ts'
import { DiskStore } from '../../../cache/disk-store.ts'
import { openStore } from '../../../cache/open-store.ts'
import { repairStore } from '../../../cache/repair-store.ts'
import { storeStats } from '../../../cache/store-stats.ts'
import { vaultExists, vaultRefusal } from '../../../cache/vault/open-vault.ts'
import { verifyStore } from '../../../cache/verify-store.ts'
import { dropLostBuilds, lostBuilds, type LostBuild } from '../../../targets/scheduler/lost-builds.ts'
import { reachable } from '../../session/reachable.ts'
import { storeNotes } from '../../session/session-keeping.ts'
import { forgetTiers } from '../../session/tier/known-segments.ts'
import { withCommands } from '../common/command-of.ts'
import { boolFlag, textFlag } from '../flags.ts'
import { bytesText, storeNote } from '../output/store-note.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession, resultStores } from '../with-session.ts'
import { leaveOut, mergeAction, pullAction, pushAction } from './merge.ts'
import { placesOf } from './places.ts'
import { sealAction } from './seal.ts'
import { targetsOf } from '../common/suites.ts'

/** The files of store and vault, then what their builds stand on. */
const verifyAll: Action = async (invocation) => {
  const { flags, print } = invocation
  const repairs = boolFlag(flags, 'repair')
  const { code, json } = await lookAt(repairs ? repair : verify, invocation)
  const { builds, seen } = await buildsOf(invocation, repairs)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ ...json, lostBuilds: builds.map(({ name }) => name) }))
  else {
    for (const { name, table } of builds.slice(0, SHOWN))
      print(`${repairs ? 'to be built again' : 'stands on something lost'}: ${name} (${table})`)
    if (builds.length > SHOWN) print(`… and ${builds.length - SHOWN} more`)
  }
  return (repairs || builds.length === 0) && seen ? code : EXIT.incomplete
}

interface Seen {
  readonly builds: readonly LostBuild[]
  /** False where the vault is in such a state that its own can't be told of; who lacks its key has seen all that it shows. */
  readonly seen: boolean
}

const statsOfAll: Action = async (invocation) => {
  const { code, json } = await lookAt(stats, invocation)
  if (boolFlag(invocation.flags, 'json')) invocation.print(JSON.stringify(json))
  return code
}

/** Builds that stand on something lost; dropped on demand. None can be told of while the index is damaged. */
const buildsOf = async (invocation: Invocation, drops: boolean): Promise<Seen> => {
  let seen = true
  try {
    return await withSession(invocation, { readOnly: !drops }, async (session) => {
      const stores = await resultStores(session)
      const { vault } = session
      // Of one that may not be read it was said.
      if (stores.vault === undefined && vault.exists() && vaultRefusal(vault.folder) === undefined)
        await vault.store().catch((error: unknown) => {
          leaveOut(error, invocation)
          seen = error instanceof ProblemError && OF_A_KEY.has(error.problems[0]?.code ?? '')
        })
      return { builds: drops ? await dropLostBuilds(stores) : [...lostBuilds(stores)], seen }
    })
  } catch (error) {
    if (error instanceof ProblemError && error.problems[0]?.code === 'cache/damaged')
      return { builds: [], seen }
    throw error
  }
}

const OF_A_KEY: ReadonlySet<string> = new Set([
  'cache/no-vault-key',
  'cache/bad-vault-key',
  'cache/exposed-vault-key',
  'cache/wrong-vault-key',
])

interface Look {
  readonly code: ExitCode
  readonly json: object
  readonly lines: readonly string[]
}

/**
 * Looks at the store, then at the vault beside it, whose key is not needed for that, and prints it unless JSON is asked
 * for: then what was found in the vault is its `vault`, null where this user may not read it.
 */
const lookAt = async (
  look: (folder: string, invocation: Invocation) => Promise<Look>,
  invocation: Invocation,
): Promise<Omit<Look, 'lines'>> => {
  const { flags, print } = invocation
  const lookInto = async (folder: string, head: readonly string[]): Promise<Look> => {
    const found = await look(folder, invocation)
    if (!boolFlag(flags, 'json')) for (const line of [...head, ...found.lines]) print(line)
    return found
  }
  const { store, vault } = await placesOf(invocation)
  const own = await lookInto(store, [])
  if (!vaultExists(vault)) return own
  const refusal = vaultRefusal(vault)
  if (refusal !== undefined) {
    leaveOut(refusal, invocation)
    return { code: EXIT.incomplete, json: { ...own.json, vault: null } }
  }
  const sealed = await lookInto(vault, [`vault ${vault}:`])
  const code = own.code === EXIT.done ? sealed.code : own.code
  return { code, json: { ...own.json, vault: sealed.json } }
}

const stats = async (folder: string, { warn }: Invocation): Promise<Look> => {
  const found = await storeStats(folder, (event) => warn(storeNote(event)))
  return {
    code: EXIT.done,
    json: found,
    lines: [
      ...found.tables.map(
        ({ table, records, bytes }) => `${table.padEnd(12)} ${count(records)}  ${bytesText(bytes)}`,
      ),
      `${bytesText(found.valuesBytes)} of values in ${found.segments} files (${bytesText(found.unusedBytes)} unused), ${bytesText(found.indexBytes)} of index, ${bytesText(found.freeDiskBytes)} free on the disk`,
    ],
  }
}

/** Names that are worth a line each. */
const SHOWN = 20

const verify = async (folder: string, { warn, flags }: Invocation): Promise<Look> => {
  const report = await verifyStore(folder, (event) => warn(storeNote(event)))
  const { records, indexDamage, unreadable, unindexed, misplaced, sound } = report
  const store = textFlag(flags, 'store')
  return {
    code: sound ? EXIT.done : EXIT.incomplete,
    json: { ...report, records: Object.fromEntries(records) },
    lines: [
      ...Array.from(records, ([table, number]) => `${table.padEnd(12)} ${count(number)} readable`),
      ...(indexDamage === undefined ? [] : [`the index is damaged: ${indexDamage}`]),
      ...unreadable.slice(0, SHOWN).map((name) => `unreadable: ${name}`),
      ...(unreadable.length > SHOWN ? [`… and ${unreadable.length - SHOWN} more`] : []),
      ...(unindexed > 0
        ? [
            `${unindexed.toLocaleString('en')} in the log that the index does not name: \`medmake cache verify --repair\` brings them back`,
          ]
        : []),
      ...(misplaced > 0
        ? [
            `${misplaced.toLocaleString('en')} entries of the ledger are of another store, such as the vault beside an open one: put this one's own values/ back from a copy`,
          ]
        : []),
      sound
        ? 'sound'
        : `damaged: run \`medmake cache verify --repair${store === undefined ? '' : ` --store ${store}`}\``,
    ],
  }
}

const repair = async (folder: string, { warn, env }: Invocation): Promise<Look> => {
  const report = await repairStore(folder, (event) => warn(storeNote(event)))
  forgetTiers(folder)
  // What could not be saved is told of here.
  rmSync(lastSeenFile(storeNotes(env), folder), { force: true })
  return {
    code: EXIT.done,
    json: { ...report, records: Object.fromEntries(report.records) },
    lines: [
      ...Array.from(report.records, ([table, number]) => `${table.padEnd(12)} ${count(number)} saved`),
      `${bytesText(report.lostBytes)} could not be read${report.kept === undefined ? '' : `; the old index is kept as ${report.kept}`}`,
    ],
  }
}

/** Paid replies are never dropped: only what can be made from them again, and only where no suite needs it. */
const gc = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, print, warn } = invocation
  const dryRun = boolFlag(flags, 'dryRun')
  const [report, sealed] = await withSession(invocation, { readOnly: dryRun }, async (session) => {
    const targets = (await targetsOf({ ...invocation, args: [] }, session)).map(({ target }) => target)
    const collect = async () => {
      const keep = await reachable(targets, session)
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
  const { store: folder, vault } = await placesOf(invocation)
  for (const path of dryRun ? [] : [folder, vault].filter((each) => existsSync(each))) {
    const store = await openStore({ path, onEvent: (event) => warn(storeNote(event)) })
    freed += await store
      .compact()
      .then(({ freedBytes }) => freedBytes)
      .finally(() => store.close())
  }
  if (boolFlag(flags, 'json'))
    print(JSON.stringify([...report, ...sealed.map((entry) => ({ ...entry, vault: true }))]))
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

const count = (value: number): string => value.toLocaleString('en').padStart(9)

/** `medmake cache stats | verify | gc | merge | push | pull | seal`. */
export const cacheAction: Action = withCommands(
  'cache',
  {
    stats: statsOfAll,
    verify: verifyAll,
    gc,
    merge: mergeAction,
    push: pushAction,
    pull: pullAction,
    seal: sealAction,
  },
  ['stats', 'verify', 'gc'],
)
