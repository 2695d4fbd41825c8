import type { ProblemError } from '../../../cache/problems/problem.ts'
import { badFlag, listFlag, textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'

/**
 * For commands whose `--suite` names the folder of entries: without entries it would be read over.
 * @throws ProblemError `cli/bad-flag`
 */
export const refuseStraySuite = ({ args, flags }: Pick<Invocation, 'args' | 'flags'>): void => {
  const folder = textFlag(flags, 'suite')
  const entries = ['confPaths', 'runEntries', 'runSpecs'].some((flag) => listFlag(flags, flag) !== undefined)
  if (folder !== undefined && !entries) throw suiteWithoutEntries(folder, args)
}

const suiteWithoutEntries = (folder: string, names: readonly string[]): ProblemError =>
  badFlag(
    '--suite',
    `--suite ${folder} names the folder of entries that --conf-paths and --run-entries give, and ${names.length > 0 ? `${names.join(', ')} ${names.length === 1 ? 'has its' : 'have their'} own` : 'there are none'}`,
    names.length > 0
      ? 'Leave it out; --output-path takes the results elsewhere.'
      : `Write the suite's name without the flag: ${folder}.`,
  )
