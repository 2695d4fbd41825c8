import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import type { Failure } from '../../../cache/outcome.ts'

/** Calls still to be made, by judge. */
export type JudgeCalls = ReadonlyMap<string, number>

const totalOf = (calls: JudgeCalls): number => [...calls.values()].reduce((sum, each) => sum + each, 0)

export const callsJson = (calls: JudgeCalls): object => ({
  calls: totalOf(calls),
  judges: Object.fromEntries(calls),
})

/** @param what e.g. `3 repeats take` */
export const callsText = (calls: JudgeCalls, what: string): string =>
  `${what} ${totalOf(calls)} more calls: ${[...calls].map(([judge, own]) => `${judge} ${own}`).join(', ')}`

/** @throws ProblemError `jury/too-many-calls`, exit code 4, before any is made */
export const refuseTooMany = (calls: JudgeCalls, most: number | undefined): void => {
  const total = totalOf(calls)
  if (most === undefined || total <= most) return
  throw new ProblemError(
    {
      code: 'jury/too-many-calls',
      message: `asking takes ${total} calls, more than --max-calls ${most}`,
      where: { field: '--max-calls' },
      remedy: 'Raise it, or ask about fewer answers with --instances.',
    },
    { exitCode: EXIT.spendingCap },
  )
}

export const failuresText = (
  failures: readonly { readonly judge: string; readonly cause: Failure }[],
): string => {
  const [first] = failures
  return (
    `incomplete: ${failures.length} replies did not come` +
    `${first === undefined ? '' : `, first ${first.judge}: ${first.cause.code} ${first.cause.detail}`}; ` +
    'their answers are left out. The same command asks for these alone.'
  )
}
