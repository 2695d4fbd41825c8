import { badFlag, textFlag } from '../flags.ts'
import type { FlagValues } from '../verb.ts'

/** `--runs`: a regular expression that a run's name matches somewhere; all runs without it. @throws ProblemError `cli/bad-flag` */
export const runFilter = (flags: FlagValues): ((name: string) => boolean) => {
  const pattern = textFlag(flags, 'runs')
  if (pattern === undefined) return () => true
  try {
    const expression = new RegExp(pattern, 'u')
    return (name) => expression.test(name)
  } catch (cause) {
    throw badFlag(
      '--runs',
      `--runs ${pattern} is no regular expression`,
      'Write --runs "^medication_qa", for instance.',
      cause,
    )
  }
}
