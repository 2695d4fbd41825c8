import type { Verb } from './verb.ts'
import { run } from './verbs/run.ts'

/** All verbs, in the order of the help. */
export const VERBS: readonly Verb[] = [run]
