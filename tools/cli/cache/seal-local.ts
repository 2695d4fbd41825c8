import { restrictedNames } from '../../session/tier/restricted-names.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'

/** Brings into the vault what came into the store in the open and is not public here; the benchmarks of which anything did. */
export const sealLocal = async (invocation: Invocation): Promise<readonly string[]> => {
  const workspace = await findWorkspace(invocation.cwd)
  const restricted = await restrictedNames(workspace.root)
  return withSession(
    { ...invocation, args: [] },
    { workspace },
    async ({ sealOpen }) => (await sealOpen?.(restricted)) ?? [],
  )
}
