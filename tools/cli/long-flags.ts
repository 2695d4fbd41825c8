import { ProblemError } from '../../cache/problems/problem.ts'

/**
 * Full names that win where a prefix fits several: HELM's documentation writes `--schema` for `--schema-path`; helm-run has
 * no `--confirm`.
 */
const PREFERRED: Readonly<Record<string, string>> = { '--schema': '--schema-path', '--conf': '--conf-paths' }

/**
 * Writes abbreviated long flags out, as Python's argparse takes them: any prefix that fits one flag only.
 *
 * @throws ProblemError `cli/ambiguous-flag`
 */
export const expandPrefixes = (argv: readonly string[], known: readonly string[]): string[] => {
  const end = argv.indexOf('--')
  return argv.map((word, index) => {
    if (!word.startsWith('--') || word === '--' || (end !== -1 && index > end)) return word
    const [name = word, ...rest] = word.split('=')
    const value = rest.length > 0 ? `=${rest.join('=')}` : ''
    return known.includes(name) ? word : `${full(name, known)}${value}`
  })
}

const full = (name: string, known: readonly string[]): string => {
  const fitting = known.filter((flag) => flag.startsWith(name))
  if (fitting.length <= 1) return fitting[0] ?? name
  const preferred = PREFERRED[name]
  if (preferred !== undefined && fitting.includes(preferred)) return preferred
  throw new ProblemError({
    code: 'cli/ambiguous-flag',
    message: `${name} could mean ${fitting.join(' or ')}`,
    where: { field: name },
    remedy: 'Write the flag out.',
  })
}
