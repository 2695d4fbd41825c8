import { listReadable } from '../../../benchmarks/lookup/list.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { openOnTier } from '../../../cache/tier/tier.ts'
import { vaultMark } from '../../../cache/vault/open-vault.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { Session } from '../session.ts'

/** A full disk or a tier that can't be read is nothing that an agreement forbids. */
const KEY_CODES: ReadonlySet<string> = new Set([
  'cache/no-vault-key',
  'cache/bad-vault-key',
  'cache/exposed-vault-key',
  'cache/wrong-vault-key',
  'cache/not-your-vault',
])

/**
 * Opens the vault where any target needs it, before the first call, and tells its key from others; null where none does.
 * @throws ProblemError, exit 5, where the key is not at hand: nobody could read what a key made here seals; where what is to
 * be sealed lies on the tier in the open
 */
export const readVaultMark = async (
  targets: readonly Target[],
  session: Pick<Session, 'vault' | 'tier' | 'workspace' | 'sealOpen'>,
): Promise<string | null> => {
  const { vault } = session
  if (targets.every(({ spec }) => spec.benchmark.access === 'public')) return null
  try {
    await vault.store()
  } catch (error) {
    if (!(error instanceof ProblemError) || !error.problems.some(({ code }) => KEY_CODES.has(code)))
      throw error
    throw new ProblemError(error.problems, { exitCode: EXIT.dataAgreement, cause: error })
  }
  await requireSealed(targets, session)
  return vaultMark(vault.folder) ?? null
}

/**
 * Refuses to build what lies on the tier in the open and is not public, as a benchmark that was; what of it came into the
 * store goes to the vault. For after the tier was read.
 * @throws ProblemError `cache/open-on-tier`, exit code 5
 */
export const requireSealed = async (
  targets: readonly Target[],
  { tier, workspace, sealOpen }: Pick<Session, 'tier' | 'workspace' | 'sealOpen'>,
): Promise<void> => {
  const open = tier?.openBenchmarks() ?? new Set<string>()
  if (tier === undefined || open.size === 0) return
  const restricted = await restrictedNames(workspace.root, targets)
  const found = new Set([...open].filter((name) => restricted.has(name)))
  if (found.size === 0) return
  await sealOpen?.(found)
  const asked = new Set(targets.map(({ spec }) => spec.benchmark.name).filter((name) => found.has(name)))
  if (asked.size > 0) throw openOnTier(tier.tier.place, [...asked].sort())
}

/** Benchmarks that are not public, by what is declared, and by the data of the targets; what can't be read is private. */
export const restrictedNames = async (
  workspace: string,
  targets: readonly Target[] = [],
): Promise<ReadonlySet<string>> => {
  const { benchmarks, faulty } = await listReadable({ workspace })
  const all = [...benchmarks, ...targets.map(({ spec }) => spec.benchmark)]
  const restricted = all.filter(({ access }) => access !== 'public')
  return new Set([...restricted, ...faulty].map(({ name }) => name))
}
