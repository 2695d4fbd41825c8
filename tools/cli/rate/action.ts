import { ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import type { Action, Invocation } from '../verb.ts'

/** A command of `medmake rate`; `invocation.args` are what follows it. */
const COMMANDS: ReadonlyMap<string, (invocation: Invocation) => Promise<ExitCode>> = new Map([
  ['plan', async (invocation) => (await import('./plan.ts')).ratePlan(invocation)],
  ['serve', async (invocation) => (await import('./serve.ts')).rateServe(invocation)],
  ['pack', async (invocation) => (await import('./pack.ts')).ratePack(invocation)],
  ['import', async (invocation) => (await import('./import.ts')).rateImport(invocation)],
  ['export', async (invocation) => (await import('./export.ts')).rateExport(invocation)],
  ['disagreements', async (invocation) => (await import('./disagreements.ts')).rateDisagreements(invocation)],
  ['status', async (invocation) => (await import('./status.ts')).rateStatus(invocation)],
  ['log', async (invocation) => (await import('./log.ts')).rateLog(invocation)],
  ['withdraw', async (invocation) => (await import('./withdraw.ts')).rateWithdraw(invocation)],
])

/** `medmake rate <command>`: clinicians' ratings, from the draw to the table. */
export const rateAction: Action = async (invocation) => {
  const [name = '', ...args] = invocation.args
  const command = COMMANDS.get(name)
  if (command !== undefined) return command({ ...invocation, args })
  const known = [...COMMANDS.keys()]
  throw new ProblemError({
    code: 'cli/unknown-command',
    message: `medmake rate ${name} is no command`,
    remedy: `${suggestion(name, known)}Use ${known.map((each) => `medmake rate ${each}`).join(', ')}.`,
  })
}
