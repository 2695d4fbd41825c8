import type { Table } from '../../../benchmarks/sources/table.ts'
import { EXIT } from '../../../cache/problem.ts'
import { keepClinicianStudies } from '../../jury/clinician-study.ts'
import { measureAgreement, type Agreement } from '../../../targets/jury/study/agreement.ts'
import type { CompositeRule } from '../../../targets/jury/published-agreement.ts'
import { readAllRatings } from '../../../targets/jury/study/ratings.ts'
import { PROFILES } from '../../../targets/profile.ts'
import { agreementText } from '../../jury/format-agreement.ts'
import { judgedTargets } from '../../jury/judged-runs.ts'
import { withRun } from '../../jury/rated-runs.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag, choiceFlag, nameFlag } from '../flags.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { rateSuite, readTables } from '../common/rated-answers.ts'
import { suitesOf } from '../common/suites.ts'

/** `medmake agreement`: clinicians' ratings against the jury and other metrics, per benchmark and pooled. */
export const agreementAction: Action = async (invocation) => {
  const { flags, print } = invocation
  const rule: CompositeRule = choiceFlag(flags, 'profile', PROFILES) === 'paper-2025' ? 'script' : 'text'
  const tables = await readTables(invocation.args, invocation.cwd)
  const suite = nameFlag(flags, 'suite')
  const found =
    suite === undefined
      ? measureAgreement(readAllRatings(tables), rule)
      : await fromSuite(invocation, suite, { tables, rule })
  const scores = suite === undefined ? 'table' : `suite ${suite}`
  if (boolFlag(flags, 'json')) print(JSON.stringify({ rule, scores, agreement: found }))
  else print([...found.map(agreementText), ruleText(rule)].join('\n\n'))
  return EXIT.done
}

/** Kept for the board, which shows it on its page of judges. */
const fromSuite = async (
  invocation: Invocation,
  suite: string,
  { tables, rule }: { readonly tables: readonly Table[]; readonly rule: CompositeRule },
): Promise<readonly Agreement[]> => {
  const workspace = await findWorkspace(invocation.cwd)
  return withSession(invocation, { workspace }, async (session) => {
    const suites = await suitesOf({ ...invocation, args: [suite] }, workspace, session.entries)
    const runs = await judgedTargets(await resolveTargets(suites, session), session)
    const { found } = rateSuite(tables, runs, { suite, warn: invocation.warn })
    const agreements = measureAgreement(
      found.map(({ rating, answer }) => withRun(rating, answer)),
      rule,
    )
    await keepClinicianStudies(agreements, found, session.env.records)
    return agreements
  })
}

const ruleText = (rule: CompositeRule): string =>
  rule === 'text'
    ? "ICCs are of z-scores within each rater, as the MedHELM paper's text says; --profile paper-2025 follows its script."
    : "The jury's ICCs follow the script of the MedHELM paper: of the mean of raw and z-scored composites. Its text says z-scores alone, the default."
