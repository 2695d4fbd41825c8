import { badFlag, boolFlag } from '../flags.ts'
import type { FlagValues } from '../verb.ts'

/** What `--json` and `--csv` ask for. @throws ProblemError `cli/bad-flag` for both at once */
export const outputForm = (flags: FlagValues): 'text' | 'json' | 'csv' => {
  const [json, csv] = [boolFlag(flags, 'json'), boolFlag(flags, 'csv')]
  if (json && csv) throw badFlag('--csv', '--json and --csv exclude each other', 'Give one of them.')
  return json ? 'json' : csv ? 'csv' : 'text'
}
