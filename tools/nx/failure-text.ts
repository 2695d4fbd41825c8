import type { RunFailure } from '../../targets/record/record.ts'

/** Failures shown of a pair; the rest is counted. */
const SHOWN = 3

/** Why a pair is incomplete, and what to do. */
export const failureText = (failures: readonly RunFailure[], requests: number): string => {
  const lines = failures
    .slice(0, SHOWN)
    .map(
      ({ instance, stage, judge, code, detail }) =>
        `  ${instance}, ${stage}${judge === undefined ? '' : ` by ${judge}`}: ${code} ${detail}`,
    )
  const more = failures.length > SHOWN ? [`  and ${failures.length - SHOWN} more`] : []
  return [
    `error: ${failures.length} failed of ${requests} requests [nx/incomplete]`,
    ...lines,
    ...more,
    '  Run again: only what failed is tried again.',
  ].join('\n')
}
