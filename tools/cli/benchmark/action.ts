import { withCommands } from '../common/command-of.ts'
import type { Action } from '../verb.ts'
import { checkAction } from './check.ts'
import { newAction } from './new.ts'
import { showAction } from './show.ts'

/** `medmake benchmark new [name]`, `medmake benchmark check <name>`, `medmake benchmark show [names…]`. */
export const benchmarkAction: Action = withCommands('benchmark', {
  new: newAction,
  check: checkAction,
  show: showAction,
})
