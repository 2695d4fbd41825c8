import type { Built } from '../../targets/runs/built.ts'
import { getRecord } from '../../targets/record/record.ts'
import { targetKey, type TargetKey } from '../../targets/keys/target-key.ts'
import { readTrace } from '../../targets/scheduler/trace.ts'
import type { SuiteTarget } from './resolve-targets.ts'
import type { Session } from './session.ts'

/** What the store holds of a target as it is declared now; undefined where it was not built since, or not to its end. */
export const builtRun = async (
  { suite, target }: SuiteTarget,
  { env }: Pick<Session, 'env'>,
  allowFailures: boolean,
): Promise<(Built & { readonly key: TargetKey }) | undefined> => {
  const key = await targetKey(target, env.profile)
  const trace = readTrace(key.digest, env.records)
  if (trace === undefined || !(trace.complete || allowFailures)) return undefined
  const record = getRecord(trace.record, env.records)
  return record === undefined ? undefined : { suite, target, key, record, digest: trace.record }
}
