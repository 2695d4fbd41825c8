import { listText } from '../../../cache/words/number-text.ts'
import { RUN_FLAGS } from '../../session/built-run.ts'
import { flagNamed } from '../flags.ts'
import type { FlagValues, Invocation } from '../verb.ts'

/** Flags that choose runs, and how many of their instances. */
export const CHOOSING = [
  'confPaths',
  'runEntries',
  'modelsToRun',
  'groupsToRun',
  'priority',
  'maxEvalInstances',
  'numTrainTrials',
] as const

/** Flags that decide which runs are meant, and that `medmake run` takes, too. */
const DECIDING = [...CHOOSING, 'store', 'localPath', 'mirror', 'profile', 'errata', 'skipBadRows']

/**
 * ``Run `medmake run main` first, with --max-eval-instances as here``: what makes the runs that were meant.
 * @param suites by name; files and entries that were given stand for none that has one
 */
export const runFirst = ({ flags }: Pick<Invocation, 'flags'>, suites: readonly string[]): string => {
  const isNamed = flags['confPaths'] === undefined && flags['runEntries'] === undefined
  return `Run \`${['medmake run', ...(isNamed ? suites : [])].join(' ')}\` first${asHere(flags)}, or give here what it was given of ${RUN_FLAGS}`
}

/** `, with --max-eval-instances as here`; nothing where no such flag was given. */
export const asHere = (flags: FlagValues): string => {
  const given = DECIDING.filter((name) => flags[name] !== undefined)
  return given.length === 0 ? '' : `, with ${listText(given.map(flagNamed))} as here`
}
