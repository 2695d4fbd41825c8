import { ProblemError } from '../../cache/problems/problem.ts'
import { reaches } from '../statistics/mean.ts'
import type { Comparison } from './compare-runs.ts'

/** When a comparison counts as a regression. */
export interface FailIf {
  /** As the user wrote it. */
  readonly text: string
  /** A metric's name; `any` for the main metric of each pair. */
  readonly metric: string
  readonly move: 'drops' | 'rises' | 'changes' | 'worsens'
  /** In the metric's units. */
  readonly by: number
  /** Both must hold. `holm` is p adjusted for all comparisons. */
  readonly chance?: { readonly of: 'p' | 'holm'; readonly below: number }
}

const CLAUSE =
  /^(?<metric>\S+)\s+(?<move>drops|rises|changes|worsens)\s*>\s*(?<by>\d*\.?\d+)(?:\s*,\s*(?<of>p|holm)\s*<\s*(?<below>\d*\.?\d+))?$/

/**
 * Reads clauses such as `jury_score drops > 0.1, p < 0.05`; several are parted by semicolons.
 * @throws ProblemError `compare/bad-clause`
 */
export const parseFailIf = (texts: readonly string[]): readonly FailIf[] =>
  // A text of nothing but blanks and semicolons is a clause that can't be read.
  texts.flatMap((text) => {
    const clauses = text.split(';').map((clause) => clause.trim())
    const written = clauses.filter((clause) => clause !== '')
    return (written.length === 0 ? [text] : written).map(parseClause)
  })

const parseClause = (text: string): FailIf => {
  const groups = CLAUSE.exec(text)?.groups
  const level = Number(groups?.['below'] ?? 1)
  if (groups === undefined || !(level > 0 && level <= 1))
    throw new ProblemError({
      code: 'compare/bad-clause',
      message: `--fail-if does not understand ${JSON.stringify(text)}`,
      where: { field: '--fail-if' },
      remedy:
        'Write "<metric or any> drops|rises|changes|worsens > <number>", then ", p < <number up to 1>" or ", holm < …" if chance is to be ruled out.',
    })
  const { metric = '', move, by, of, below } = groups
  return {
    text,
    metric,
    move: move as FailIf['move'],
    by: Number(by),
    ...(of === undefined ? {} : { chance: { of: of as 'p' | 'holm', below: Number(below) } }),
  }
}

/** Metrics that clauses name. */
export const metricsNamed = (clauses: readonly FailIf[]): readonly string[] => [
  ...new Set(clauses.map(({ metric }) => metric).filter((metric) => metric !== 'any')),
]

export const concerns = (clause: FailIf, { metric, isMain }: Comparison): boolean =>
  clause.metric === 'any' ? isMain : clause.metric === metric

/** Clauses that hold for a comparison. Where nobody says what is better, `worsens` never does. */
export const failuresOf = (comparison: Comparison, clauses: readonly FailIf[]): readonly FailIf[] =>
  clauses.filter((clause) => concerns(clause, comparison) && holds(clause, comparison))

const holds = ({ move, by, chance }: FailIf, { result, lowerIsBetter }: Comparison): boolean => {
  if (result === null) return false
  const { difference } = result
  if (difference === null) return false
  const loss = lowerIsBetter === null ? 0 : lowerIsBetter ? difference : -difference
  const moved = { drops: -difference, rises: difference, changes: Math.abs(difference), worsens: loss }[move]
  return !reaches(by, moved) && (chance === undefined || (result[chance.of] ?? 1) < chance.below)
}
