import { existsSync, lstatSync } from 'node:fs'
import { isExposed, type KeyOrigin } from '../../cache/vault/find-vault-key.ts'
import type { Session } from '../session/session.ts'
import { vaultKeyOrigin } from '../session/workspace/vault-key-origin.ts'
import { fine, note, problemChecks, trouble, type DoctorCheck } from './check.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** @param restricted whether a gated or private benchmark is among those that are looked at */
export const vaultChecks = async (
  { vault, workspace }: Session,
  env: Environment,
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
    if (made && !needed) return note('vault key', `${path} will be made with the first gated or private run`)
    return trouble('vault key', `${path} is not there`, 'Restore it, or set MEDMAKE_VAULT_KEY.')
  }
  return isExposed(path)
    ? trouble('vault key', `other users may read ${path}`, `Run \`chmod 600 ${path}\`.`)
    : fine('vault key', `in ${path}, for its owner only`)
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
