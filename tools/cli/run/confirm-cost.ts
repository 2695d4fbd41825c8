import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { Session } from '../../session/session.ts'
import { estimateTargets, type TargetsEstimate } from '../../../targets/estimate/estimate-targets.ts'
import { formatEstimate, unreadLines } from '../../spend/format-estimate.ts'
import { usdText } from '../../spend/money-text.ts'
import { boolFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'

/**
 * Tells what a run may cost and asks, where that is wanted (`--confirm`) or more than `budget.confirm_above`. `--yes` goes
 * on unasked. What has no price may cost more than anything.
 *
 * @throws ProblemError `spend/not-confirmed`, exit code 4, where the answer is no or nobody is there to answer
 */
export const confirmCost = async (
  targets: readonly Target[],
  session: Session,
  { flags, warn }: Invocation,
): Promise<void> => {
  const above = session.workspace.config.budget?.confirm_above
  const asks = boolFlag(flags, 'confirm')
  if (boolFlag(flags, 'yes') || (!asks && above === undefined)) return
  const found = await estimateTargets(targets, session, undefined, { skipsUnread: true })
  if (found.calls === 0) return
  const least = asks ? -1 : (above ?? 0)
  if (found.usd !== null && found.usd.high <= least) return
  for (const line of unreadLines(found)) warn(line)
  warn(formatEstimate(found))
  if (process.stdin.isTTY && process.stderr.isTTY) {
    if (await isAgreed()) return
    throw notConfirmed(found, 'was not agreed to')
  }
  throw notConfirmed(found, 'needs a yes, and there is no terminal to ask on')
}

const isAgreed = async (): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    // Ctrl-C and the end of the input close it without an answer.
    const closed = once(lines, 'close').then(() => '')
    const answer = await Promise.race([lines.question('\nGo on? [y/N] '), closed])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

const notConfirmed = ({ calls, usd }: TargetsEstimate, why: string): ProblemError =>
  new ProblemError(
    {
      code: 'spend/not-confirmed',
      message: `a run of ${calls} calls, ${usd === null ? 'of unknown cost' : `up to ${usdText(usd.high)} USD`}, ${why}`,
      where: { field: 'budget.confirm_above' },
      remedy: 'Nothing was called. Add --yes to go on, with --max-usd to stop it at a sum.',
    },
    { exitCode: EXIT.spendingCap },
  )
