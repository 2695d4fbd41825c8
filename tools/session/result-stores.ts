import { ProblemError } from '../../cache/problems/problem.ts'
import type { ResultStores } from '../../targets/scheduler/lost-builds.ts'
import type { Session } from './session.ts'

/** The session's stores, the vault among them where there is one and its key is at hand. */
export const resultStores = async ({ store, vault }: Session): Promise<ResultStores> => ({
  open: store,
  vault: vault.exists() ? await vault.store().catch(unlessProblem) : undefined,
})

const unlessProblem = (error: unknown): undefined => {
  if (!(error instanceof ProblemError)) throw error
}
