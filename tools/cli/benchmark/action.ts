import { withCommands } from '../common/command-of.ts'
import type { Action } from '../verb.ts'
import { checkAction } from './check.ts'
import { newAction } from './new.ts'

/** `medmake benchmark new [name]`, `medmake benchmark check <name>`. */
export const benchmarkAction: Action = withCommands('benchmark', { new: newAction, check: checkAction })
