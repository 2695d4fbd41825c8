import { resolve } from 'node:path'
import { csvTable } from '../../../benchmarks/sources/csv-table.ts'
import { decodeText, readBytes } from '../../../benchmarks/sources/read-text.ts'
import type { Table } from '../../../benchmarks/sources/table.ts'
import { EXIT, ProblemError } from '../../../cache/problem.ts'
import { measureAgreement } from '../../../targets/jury/agreement.ts'
import type { CompositeRule } from '../../../targets/jury/published-agreement.ts'
import { readRatings, type Rating } from '../../../targets/jury/ratings.ts'
import { PROFILES } from '../../../targets/profile.ts'
import { agreementText } from '../../jury/format-agreement.ts'
import { judgedTargets } from '../../jury/judged-runs.ts'
import { criteriaOf, joinRatings, type RatedRuns } from '../../jury/rated-runs.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import { findWorkspace } from '../../session/workspace.ts'
import { boolFlag, choiceFlag, textFlag } from '../flags.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { suitesOf } from './suites.ts'

/** `medmake agreement`: clinicians' ratings against the jury and other metrics, per benchmark and pooled. */
export const agreementAction: Action = async (invocation) => {
  const { flags, print, warn } = invocation
  const rule: CompositeRule = choiceFlag(flags, 'profile', PROFILES) === 'paper-2025' ? 'script' : 'text'
  const tables = await readTables(invocation)
  const suite = textFlag(flags, 'suite')
  const ratings =
    suite === undefined
      ? tables.flatMap((table) => readRatings(table))
      : await fromSuite(invocation, suite, tables, warn)
  const found = measureAgreement(ratings, rule)
  const scores = suite === undefined ? 'table' : `suite ${suite}`
  if (boolFlag(flags, 'json')) print(JSON.stringify({ rule, scores, agreement: found }))
  else print([...found.map(agreementText), ruleText(rule)].join('\n\n'))
  return EXIT.done
}

/** Ratings files as tables. */
export const readTables = async ({
  args,
  cwd,
}: Pick<Invocation, 'args' | 'cwd'>): Promise<readonly Table[]> => {
  const tables = []
  for (const name of args) {
    const file = resolve(cwd, name)
    tables.push(csvTable(decodeText(await readBytes(file, 'ratings file'), file), 'strict', file))
  }
  return tables
}

const fromSuite = async (
  invocation: Invocation,
  suite: string,
  tables: readonly Table[],
  warn: (text: string) => void,
): Promise<readonly Rating[]> => {
  const workspace = await findWorkspace(invocation.cwd)
  return withSession(invocation, { workspace, readOnly: true }, async (session) => {
    const suites = await suitesOf({ ...invocation, args: [suite] }, workspace, session.entries)
    const runs = await judgedTargets(await resolveTargets(suites, session), session)
    const criteria = criteriaOf(runs)
    const joined = joinRatings(
      tables.flatMap((table) => readRatings(table, criteria)),
      runs,
    )
    for (const line of lostLines(joined)) warn(line)
    if (joined.ratings.length === 0) throw noneRated(suite, joined.unknown)
    return joined.ratings
  })
}

/** What of the ratings cannot be held against the runs. */
export const lostLines = ({ unknown, unjudged }: RatedRuns): readonly string[] => {
  const [first] = unknown
  return [
    ...(first === undefined
      ? []
      : [
          `${unknown.length} ratings are of answers that no run holds, first ${answerText(first)}; left out.`,
        ]),
    ...(unjudged === 0 ? [] : [`${unjudged} ratings are of answers that no judge scored.`]),
  ]
}

const answerText = ({ benchmark, instance, model }: Rating): string => `${benchmark} ${instance} ${model}`

/** None of the ratings is of an answer of the suite. */
export const noneRated = (suite: string, unknown: readonly Rating[]): ProblemError => {
  const [first] = unknown
  return new ProblemError({
    code: 'jury/no-rated-answer',
    message: `no rating is of an answer that the runs of ${suite} hold`,
    remedy:
      'Write benchmark, instance_id and model as the runs name them' +
      `${first === undefined ? '' : `; the first rating is of ${answerText(first)}`}.`,
  })
}

const ruleText = (rule: CompositeRule): string =>
  rule === 'text'
    ? "ICCs are of z-scores within each rater, as the MedHELM paper's text says; --profile paper-2025 follows its script."
    : "The jury's ICCs follow the script of the MedHELM paper: of the mean of raw and z-scored composites. Its text says z-scores alone, the default."
