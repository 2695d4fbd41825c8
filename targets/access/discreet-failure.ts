import type { Access } from '../../benchmarks/scenario/benchmark.ts'
import type { Failure } from '../../cache/outcome.ts'
import { withheld } from '../../cache/problems/withheld.ts'
import type { RunFailure } from '../record/record.ts'
import type { InstanceRef } from '../record/instance-ref.ts'

/** Failures whose details are words of ours. Others may repeat a prompt or a reply. */
const OPEN: ReadonlySet<string> = new Set([
  'call/aborted',
  'call/connection',
  'call/retry-after',
  'call/timeout',
  'call/unreached',
  'metrics/code-form',
  'metrics/no-annotation',
  'reply/no-choices',
  'reply/other-count',
  'reply/too-large',
])

/** Ids that HELM counts instances by; any other may come from the data and name a patient. */
export const COUNTED = /^id\d+$/

/** A failure's detail as output may hold it, for a benchmark of that access. */
export const discreetDetail = ({ code, detail }: Pick<Failure, 'code' | 'detail'>, access: Access): string =>
  access === 'public' || OPEN.has(code) ? detail : withheld(detail)

/**
 * Failures as records, events and output may hold them.
 * @param refs the run's instances: where an id is withheld, an instance is called by its place among them, from 1
 */
export const discreetFailures = (
  failures: readonly RunFailure[],
  access: Access,
  refs: readonly Pick<InstanceRef, 'id'>[],
): readonly RunFailure[] => {
  if (access === 'public') return failures
  const places = new Map(refs.map(({ id }, index) => [String(id), index + 1]))
  return failures.map((failure) => {
    const { instance } = failure
    return {
      ...failure,
      instance: COUNTED.test(instance) ? instance : `instance ${places.get(instance) ?? '?'}`,
      detail: discreetDetail(failure, access),
    }
  })
}
