import { resolve } from 'node:path'
import { collectGarbage } from '../../../cache/collect-garbage.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problem.ts'
import { repairStore } from '../../../cache/repair-store.ts'
import { storeStats } from '../../../cache/store-stats.ts'
import { verifyStore } from '../../../cache/verify-store.ts'
import { reachable } from '../../session/reachable.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import { findWorkspace } from '../../session/workspace.ts'
import { boolFlag, textFlag } from '../flags.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { suitesOf } from './suites.ts'

/** `medmake cache stats | verify | gc`. */
export const cacheAction: Action = async (invocation) => {
  const { args, flags, cwd, env } = invocation
  const workspace = await findWorkspace(cwd)
  const flag = textFlag(flags, 'store')
  const folder =
    flag === undefined ? (env['MEDMAKE_STORE'] ?? workspace.path(workspace.config.store)) : resolve(cwd, flag)
  switch (args[0]) {
    case 'stats':
      return stats(folder, invocation)
    case 'verify':
      return boolFlag(flags, 'repair') ? repair(folder, invocation) : verify(folder, invocation)
    case 'gc':
      return gc(invocation)
    default:
      throw new ProblemError({
        code: 'cli/unknown-command',
        message: `medmake cache ${args[0] ?? ''} is no command`,
        remedy: 'Use stats, verify or gc.',
      })
  }
}

const stats = async (folder: string, { flags, print, warn }: Invocation): Promise<ExitCode> => {
  const found = await storeStats(folder, (event) => warn(JSON.stringify(event)))
  if (boolFlag(flags, 'json')) print(JSON.stringify(found))
  else {
    for (const { table, records, bytes } of found.tables)
      print(`${table.padEnd(12)} ${count(records)}  ${size(bytes)}`)
    print(
      `${size(found.valuesBytes)} of values in ${found.segments} files (${size(found.unusedBytes)} unused), ${size(found.indexBytes)} of index, ${size(found.freeDiskBytes)} free on the disk`,
    )
  }
  return EXIT.done
}

const verify = async (folder: string, { flags, print }: Invocation): Promise<ExitCode> => {
  const report = await verifyStore(folder)
  const records = Object.fromEntries(report.records)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ ...report, records }))
  else {
    for (const [table, number] of report.records) print(`${table.padEnd(12)} ${count(number)} readable`)
    if (report.indexDamage !== undefined) print(`the index is damaged: ${report.indexDamage}`)
    for (const name of report.unreadable.slice(0, 20)) print(`unreadable: ${name}`)
    if (report.unreadable.length > 20) print(`… and ${report.unreadable.length - 20} more`)
    print(report.sound ? 'sound' : 'damaged: run `medmake cache verify --repair`')
  }
  return report.sound ? EXIT.done : EXIT.incomplete
}

const repair = async (folder: string, { flags, print }: Invocation): Promise<ExitCode> => {
  const report = await repairStore(folder)
  if (boolFlag(flags, 'json'))
    print(JSON.stringify({ ...report, records: Object.fromEntries(report.records) }))
  else {
    for (const [table, number] of report.records) print(`${table.padEnd(12)} ${count(number)} saved`)
    print(
      `${size(report.lostBytes)} could not be read${report.kept === undefined ? '' : `; the old index is kept as ${report.kept}`}`,
    )
  }
  return EXIT.done
}

/** Paid replies are never dropped: only what can be made from them again, and only where no suite needs it. */
const gc = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const workspace = await findWorkspace(cwd)
  return withSession(invocation, { workspace }, async (session) => {
    const targets = await resolveTargets(
      await suitesOf({ ...invocation, args: [] }, workspace, session.entries),
      session,
    )
    const dryRun = boolFlag(flags, 'dryRun')
    const keep = await reachable(
      targets.map(({ target }) => target),
      session,
    )
    const report = await collectGarbage(session.store, keep, { dryRun })
    if (boolFlag(flags, 'json')) print(JSON.stringify(report))
    else
      for (const { table, kept, removed, removedBytes } of report)
        print(
          `${table.padEnd(12)} ${count(kept)} kept, ${count(removed)} ${dryRun ? 'would go' : 'removed'} (${size(removedBytes)})`,
        )
    return EXIT.done
  })
}

const count = (value: number): string => value.toLocaleString('en').padStart(9)

const size = (bytes: number): string => {
  if (bytes < 1e3) return `${bytes} B`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}
