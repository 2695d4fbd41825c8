import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { readLedger, type LedgerFilter, type PlacedEntry } from '../../../targets/spend/ledger.ts'
import { SPEND_SIDES } from '../../../targets/spend/spend-table.ts'
import { abandonedUsd } from '../../session/spending/day-rows.ts'
import { wholeLedger } from '../../session/spending/session-spending.ts'
import type { Session } from '../../session/session.ts'
import { csvSpend, formatSpend, spendJson } from '../../spend/format-spend.ts'
import { usdText } from '../../spend/money-text.ts'
import { badFlag, choiceFlag, refuseBeside, textFlag } from '../flags.ts'
import { outputForm } from '../output/output-form.ts'
import type { Action, FlagValues } from '../verb.ts'
import { withSession } from '../with-session.ts'

/** `medmake spend`: the ledger, added up. Exits with 1 where a part of it cannot be read. */
export const spendAction: Action = async (invocation) => {
  const { flags, print, warn } = invocation
  refuseBeside(flags, 'csv', ['by'])
  const form = outputForm(flags)
  const by = choiceFlag(flags, 'by', SPEND_SIDES)
  const sides = by === undefined ? SPEND_SIDES : [by]
  const since = sinceFlag(flags)
  return withSession(invocation, { readOnly: true }, async (session) => {
    const { entries, sealed } = await readable(session, { since })
    const abandoned = abandonedUsd(session.storePath, since)
    if (form === 'csv') print(csvSpend(entries))
    else if (form === 'json') print(JSON.stringify({ ...spendJson(entries, sides), abandonedUsd: abandoned }))
    else print(formatSpend(entries, sides))
    if (abandoned > 0)
      warn(
        `Up to ${usdText(abandoned)} USD of calls were in flight when runs were killed: they may be charged for.`,
      )
    for (const { message, remedy } of sealed)
      warn(`Calls about gated and private benchmarks are left out: ${message}. ${remedy}`)
    return sealed.length > 0 ? EXIT.incomplete : EXIT.done
  })
}

/** All entries; without the vault's key those that lie in the open, and why no others. */
const readable = async (
  session: Session,
  filter: LedgerFilter,
): Promise<{
  readonly entries: readonly PlacedEntry[]
  readonly sealed: ProblemError['problems']
}> => {
  try {
    return { entries: await wholeLedger(session, filter), sealed: [] }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return { entries: [...readLedger(session.store, filter)], sealed: error.problems }
  }
}

/** @throws ProblemError `cli/bad-flag` */
const sinceFlag = (flags: FlagValues): string => {
  const text = textFlag(flags, 'since')
  if (text === undefined) return ''
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  // `2026-02-30` would become the 2nd of March.
  if (day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text
  throw badFlag('--since', `--since ${text} is no day`, 'Write a day of UTC like --since 2026-01-31.')
}
