import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Action } from '../verb.ts'
import { checkAction } from './check.ts'
import { newAction } from './new.ts'

const ACTIONS: Readonly<Record<string, Action>> = { new: newAction, check: checkAction }

/** `medmake benchmark new [name]`, `medmake benchmark check <name>`. */
export const benchmarkAction: Action = async (invocation) => {
  const [what = '', ...args] = invocation.args
  const action = ACTIONS[what]
  if (action !== undefined) return action({ ...invocation, args })
  const names = Object.keys(ACTIONS)
  throw new ProblemError({
    code: 'cli/unknown-argument',
    message: `medmake benchmark has no ${JSON.stringify(what)}`,
    remedy: `${suggestion(what, names)}Write one of ${names.join(', ')}.`,
  })
}
