import type { ExitCode } from '../../../cache/problems/problem.ts'
import { familyOf } from '../../../models/registry/registry.ts'
import {
  familiesOf,
  familyReports,
  type FamilyScores,
  type FamilyReport,
} from '../../../targets/jury/study/family.ts'
import { judgeTable } from '../../../targets/jury/judge-table.ts'
import type { JudgedTarget } from '../../jury/judged-runs.ts'
import type { Session } from '../../session/session.ts'
import type { Invocation } from '../verb.ts'
import { studyJudges } from './ask-judges.ts'
import type { Kinship } from '../../../targets/statistics/judges/self-preference.ts'
import {
  formatDifference,
  formatP,
  formatValue,
  valueOrDash,
  orDash,
} from '../../../cache/words/number-text.ts'
import { alignedTable, indented } from '../../../cache/words/tables.ts'
import { deploymentsOf } from '../../../targets/record/target.ts'
import { judgeAgreements } from '../../../targets/jury/study/judge-agreement.ts'
import { judgeAgreementText } from '../../jury/format-judge-agreement.ts'

/** `medmake jury family`: how lenient each judge is, and how much more it gives to its own maker's models. */
export const juryFamily = async (invocation: Invocation): Promise<ExitCode> =>
  studyJudges(invocation, (runs, session) => {
    const unknownMakers = unknownMakersOf(runs, session)
    if (unknownMakers.length > 0) invocation.warn(unknownText(unknownMakers))
    const families = familiesOf(runs, session.registry)
    const family = familyReports(familyRuns(runs), (name) => families.get(name) ?? name)
    return { json: { family, unknownMakers }, texts: () => family.map(familyText) }
  })

/** The judgements of each run, read one run at a time. */
const familyRuns = (runs: readonly JudgedTarget[]): readonly FamilyScores[] =>
  runs.map(({ target: { spec }, view, reading, sources }) => ({
    benchmark: spec.benchmark.runName,
    model: spec.adapter.modelDeployment,
    scores: judgeTable(view.states(), reading),
    sources,
  }))

/** Models and judges of which nothing says who made them, by name. */
const unknownMakersOf = (runs: readonly JudgedTarget[], { registry }: Session): readonly string[] => {
  const models = runs.flatMap(({ target }) => deploymentsOf(target).map(({ modelName }) => modelName))
  return [...new Set(models)].filter((model) => !familyOf(model, registry).known).toSorted()
}

const unknownText = (models: readonly string[]): string =>
  `note: nothing says who made ${models.join(', ')}; each counts as a family of its own. ` +
  'Give creator_organization_name under `models:` in models/*.yaml.'

/** Leniency, self-preference and what the models reach without either. */
const familyText = ({ benchmark, kinship, families, judges, models }: FamilyReport): string =>
  [
    benchmark,
    `  a judge gives its own family ${kinshipText(kinship)}`,
    ...(families.length < 2
      ? []
      : families.map(({ family, kinship: own }) => `    ${family}: ${kinshipText(own)}`)),
    indented(
      alignedTable(
        ['judge', 'family', 'leniency'],
        judges.map(({ judge, family, leniency }) => [judge, family, orDash(leniency, formatDifference)]),
      ),
    ),
    indented(
      alignedTable(
        ['model', 'family', 'judgements', 'all judges', 'adjusted', 'other families', 'judges of its family'],
        models.map(({ model, family, judgements, all, adjusted, withoutOwnFamily, own }) => [
          model,
          family,
          String(judgements),
          formatValue(all),
          valueOrDash(adjusted),
          withoutOwnFamily === null ? 'none' : formatValue(withoutOwnFamily),
          own.join(', '),
        ]),
      ),
    ),
    '  adjusted: without leniency and kinship. Other families: its own judges left out, who may merely be the lenient ones.',
  ].join('\n')

const kinshipText = (kinship: Kinship | null): string => {
  if (kinship === null) return 'an unknown amount more: kinship cannot be told from leniency here'
  const { delta, p, interval } = kinship
  if (p === null || interval === null)
    return `${formatDifference(delta)} points (no interval: the scores have no spread)`
  return `${formatDifference(delta)} points (${formatDifference(interval.low)} to ${formatDifference(interval.high)}, p ${formatP(p)})`
}

/** `medmake jury agreement`: how judges agree with each other, and how many of them a reliable score takes. */
export const juryAgreement = async (invocation: Invocation): Promise<ExitCode> =>
  studyJudges(invocation, (runs) => {
    const agreement = judgeAgreements(familyRuns(runs))
    return { json: { agreement }, texts: () => agreement.map(judgeAgreementText) }
  })
