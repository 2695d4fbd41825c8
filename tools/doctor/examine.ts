import { existsSync, lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { requireMakeable } from '../../cache/files/folders.ts'
import { listReadable } from '../../benchmarks/lookup/list.ts'
import type { Access } from '../../benchmarks/scenario/benchmark.ts'
import { hostKey } from '../../models/deployment/credentials.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { refusals, ASSUMED_REMEDY, assumedServers, assumedText } from '../../targets/access/agreements.ts'
import type { Target } from '../../targets/record/target.ts'
import { strayNames } from '../session/stray-names.ts'
import { idleCodeOf } from '../session/resolve-targets.ts'
import type { Session } from '../session/session.ts'
import { fine, note, trouble, type DoctorCheck, problemChecks } from './check.ts'
import { gitChecks, type KeptOut } from './git-checks.ts'
import { contactedHosts, type ContactedHost } from './hosts.ts'
import { clockCheck, diskCheck, nodeCheck, onnxCheck } from './machine.ts'
import { nxChecks } from './nx-checks.ts'
import { isExposed, MAKE_KEY, type KeyOrigin } from '../../cache/vault/vault-key.ts'
import { vaultKeyOrigin } from '../session/workspace/workspace.ts'

interface Examined {
  readonly targets: readonly Target[]
  readonly session: Session
  readonly env: NodeJS.ProcessEnv
  readonly outputPath: string
  readonly localPath: string
  readonly hasKey: (deployment: ModelDeployment) => boolean
}

export interface Findings {
  readonly checks: readonly DoctorCheck[]
  readonly hosts: readonly ContactedHost[]
}

/** Looks at machine, workspace and suites. Writes nothing, contacts nobody. */
export const examine = async (given: Examined): Promise<Findings> => {
  const { targets, session, env, hasKey } = given
  const { storePath } = session
  const restricted = targets.some(({ spec }) => spec.benchmark.access !== 'public')
  const hosts = await contactedHosts(targets, session, hasKey)
  return {
    hosts,
    checks: [
      nodeCheck(process.versions.node),
      clockCheck(Date.now()),
      diskCheck(storePath),
      await onnxCheck(),
      existsSync(storePath) ? fine('store', `${storePath} opens`) : note('store', 'there is none yet'),
      ...(await vaultChecks(session, env, restricted)),
      ...(await gitChecks(session.workspace.root, keptOut(given))),
      ...(await nxChecks(session.workspace.root, env)),
      ...idleCodeOf(session).map(({ message, remedy }) => note('code', message, remedy)),
      ...(await strayNames(session)).map(({ message, remedy }) => note('settings', message, remedy)),
      ...(await declarationChecks(session)),
      ...agreementChecks(given),
      ...assumedServers(targets, session.env.endpoint).map((server) =>
        note('server', assumedText(server), ASSUMED_REMEDY),
      ),
      ...hosts.flatMap(({ withoutKey, host }) =>
        withoutKey.map((name) =>
          note(
            'key',
            `no key for ${name} at ${host}`,
            `Where it wants one, set ${hostKey(name).variable}, or write it into prod_env/credentials.conf.`,
          ),
        ),
      ),
    ],
  }
}

/** What no suite asks for fails for nobody. */
const declarationChecks = async ({ benchmarks }: Session): Promise<readonly DoctorCheck[]> =>
  (await listReadable(benchmarks)).faulty.map(({ name }) =>
    note(
      'benchmarks',
      `${name} has a faulty declaration`,
      `\`medmake data status ${name}\` tells the fault.`,
    ),
  )

const agreementChecks = ({ targets, session }: Examined): readonly DoctorCheck[] => {
  const found = refusals(targets, session.env.endpoint)
  if (found.length > 0) return found.map(({ message, remedy }) => trouble('data agreement', message, remedy))
  const access = (wanted: Access): number =>
    new Set(
      targets.filter(({ spec }) => spec.benchmark.access === wanted).map(({ spec }) => spec.benchmark.name),
    ).size
  return [
    fine(
      'data agreement',
      `reaches all: ${access('gated')} gated and ${access('private')} private benchmarks`,
    ),
  ]
}

/** Declarations belong into git; other files of a restricted benchmark are its data. */
const DECLARATION = /\.(?:ya?ml|txt|ts|js|mjs|md)$/

const keptOut = ({ targets, session, outputPath, localPath }: Examined): readonly KeptOut[] => {
  const { workspace, storePath, vault } = session
  const { vault_key_file: key } = workspace.config
  const data = new Map<string, KeptOut>()
  for (const { spec } of targets)
    if (spec.benchmark.access !== 'public')
      for (const file of spec.benchmark.files)
        if (!DECLARATION.test(file))
          data.set(file, { path: workspace.path(file), holds: `${spec.benchmark.access} data` })
  return [
    { path: storePath, holds: 'the store' },
    { path: vault.folder, holds: 'the vault' },
    { path: outputPath, holds: 'results with texts' },
    { path: join(localPath, 'credentials.conf'), holds: 'keys' },
    ...(key === undefined ? [] : [{ path: workspace.path(key), holds: "the vault's key" }]),
    ...data.values(),
  ]
}

/** @param restricted whether a gated or private benchmark is among those that are looked at */
const vaultChecks = async (
  { vault, workspace }: Session,
  env: NodeJS.ProcessEnv,
  restricted: boolean,
): Promise<readonly DoctorCheck[]> => {
  const origin = vaultKeyOrigin(env, workspace)
  if (!vault.exists() && !restricted) return [fine('vault', 'not needed: all benchmarks are public')]
  return [keyCheck(origin, vault.exists()), ...(vault.exists() ? await openCheck(vault) : [])]
}

const keyCheck = (origin: KeyOrigin, needed: boolean): DoctorCheck => {
  if (origin.kind === 'environment') return fine('vault key', `in ${origin.name}`)
  const { path, made } = origin
  if (!existsSync(path)) {
    const isNew = made && !needed
    if (isNew && mayMake(path))
      return note('vault key', `${path} will be made with the first gated or private run`)
    return isNew
      ? trouble('vault key', `${path} can't be made by this user`, `Set MEDMAKE_VAULT_KEY. ${MAKE_KEY}`)
      : trouble('vault key', `${path} is not there`, 'Restore it, or set MEDMAKE_VAULT_KEY.')
  }
  return isExposed(path)
    ? trouble('vault key', `other users may read ${path}`, `Run \`chmod 600 ${path}\`.`)
    : fine('vault key', `in ${path}, for its owner only`)
}

const mayMake = (path: string): boolean => {
  try {
    requireMakeable(dirname(path))
    return true
  } catch {
    return false
  }
}

const openCheck = async (vault: Session['vault']): Promise<readonly DoctorCheck[]> => {
  const { folder } = vault
  try {
    await vault.store()
  } catch (error) {
    return problemChecks('vault', error)
  }
  const open = process.platform !== 'win32' && (lstatSync(folder).mode & 0o077) !== 0
  return [
    open
      ? trouble('vault', `other users may look into ${folder}`, `Run \`chmod -R go= ${folder}\`.`)
      : fine('vault', `${folder} opens with the key`),
  ]
}
