import { ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import type { Action, Invocation } from '../verb.ts'

/** A command of `medmake jury`; `invocation.args` are the suites. */
const COMMANDS: ReadonlyMap<string, (invocation: Invocation) => Promise<ExitCode>> = new Map([
  ['agreement', async (invocation) => (await import('./agreement.ts')).juryAgreement(invocation)],
  ['calibrate', async (invocation) => (await import('./calibrate.ts')).juryCalibrate(invocation)],
  ['coverage', async (invocation) => (await import('./coverage.ts')).juryCoverage(invocation)],
  ['dropout', async (invocation) => (await import('./dropout.ts')).juryDropout(invocation)],
  ['family', async (invocation) => (await import('./family.ts')).juryFamily(invocation)],
  ['gold', async (invocation) => (await import('./gold.ts')).juryGold(invocation)],
  ['probe', async (invocation) => (await import('./probe.ts')).juryProbe(invocation)],
  ['repeats', async (invocation) => (await import('./repeats.ts')).juryRepeats(invocation)],
])

/** `medmake jury <command>`: how far judges can be counted, and how much scores hang on each, on kinship, on chance. */
export const juryAction: Action = async (invocation) => {
  const [name = '', ...args] = invocation.args
  const command = COMMANDS.get(name)
  if (command !== undefined) return command({ ...invocation, args })
  const known = [...COMMANDS.keys()]
  throw new ProblemError({
    code: 'cli/unknown-command',
    message: `medmake jury ${name} is no command`,
    remedy: `${suggestion(name, known)}Use ${known.map((each) => `medmake jury ${each}`).join(', ')}.`,
  })
}
