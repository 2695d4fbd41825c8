import { EXIT, type ExitCode } from '../../../cache/problem.ts'
import { familyOf } from '../../../models/registry/family.ts'
import { compareFamilies, scoreByOthers, type FamilyComparison } from '../../../targets/jury/family.ts'
import { judgeScores } from '../../../targets/jury/judge-scores.ts'
import { dialectOf } from '../../../targets/profile.ts'
import { alignedTable } from '../../compare/tables.ts'
import { judgedTargets, type JudgedTarget } from '../../jury/judged-runs.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace } from '../../session/workspace.ts'
import { boolFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { suitesOf } from './suites.ts'

/** `medmake jury family`: each model by the judges that its own maker did not make, against the full jury. */
export const juryFamily = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print, warn } = invocation
  const workspace = await findWorkspace(cwd)
  return withSession(invocation, { workspace, readOnly: true }, async (session) => {
    const suites = await suitesOf(invocation, workspace, session.entries)
    const runs = await judgedTargets(await resolveTargets(suites, session), session)
    const unknown = unknownMakers(runs, session)
    if (unknown.length > 0) warn(unknownText(unknown))
    const found = compareFamilies(runs.map((run) => familyRun(run, session)))
    if (boolFlag(flags, 'json')) print(JSON.stringify({ family: found, unknownMakers: unknown }))
    else print(found.map(familyText).join('\n\n'))
    return EXIT.done
  })
}

const familyRun = (
  { target: { spec, deployment, judges }, view, scoring }: JudgedTarget,
  { registry, env }: Session,
): ReturnType<typeof scoreByOthers> => {
  const models = new Map(judges.map(({ judge, deployment: { modelName } }) => [judge.name, modelName]))
  const { scores } = dialectOf(env.profile)
  return scoreByOthers(view.states(), {
    benchmark: spec.benchmark.runName,
    model: spec.adapter.modelDeployment,
    family: familyOf(deployment.modelName, registry).name,
    jury: scoring,
    familyOf: (judge) => familyOf(models.get(judge) ?? judge, registry).name,
    isScored: (judgement) => {
      const read = judgeScores(judgement, scores)
      return read.kind === 'done' && read.value.length > 0
    },
  })
}

/** Models and judges of which nothing says who made them, by name. */
const unknownMakers = (runs: readonly JudgedTarget[], { registry }: Session): readonly string[] => {
  const models = runs.flatMap(({ target: { deployment, judges } }) =>
    [deployment, ...judges.map((judge) => judge.deployment)].map(({ modelName }) => modelName),
  )
  return [...new Set(models)].filter((model) => !familyOf(model, registry).known).toSorted()
}

const unknownText = (models: readonly string[]): string =>
  `note: nothing says who made ${models.join(', ')}; each counts as a family of its own. ` +
  'Give creator_organization_name under `models:` in models/*.yaml.'

const familyText = ({ benchmark, rows, swaps, tau }: FamilyComparison): string => {
  const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
  const table = alignedTable(
    ['model', 'family', 'all judges', 'other families', 'own family adds', 'judges of its family'],
    rows.map(({ model, family, all, others, gain, own }) => [
      model,
      family,
      `${all.score.toFixed(3)} (${all.rank})`,
      others === undefined ? 'none' : `${others.score.toFixed(3)} (${others.rank})`,
      own.length === 0 || gain === undefined ? '' : signed(gain),
      own.join(', '),
    ]),
  )
  return [
    benchmark,
    table.replaceAll(/^/gm, '  '),
    ...rows
      .filter(({ ownOnly }) => ownOnly > 0)
      .map(
        ({ model, ownOnly, requests }) =>
          `  ${model}: ${ownOnly} of ${requests} answers have no other score; the default stands in`,
      ),
    swaps.length === 0
      ? '  no pair swaps'
      : `  pairs that swap: ${swaps.map(([before, after]) => `${after} passes ${before}`).join('; ')}`,
    ...(tau === undefined ? [] : [`  Kendall's tau of the two orders: ${tau.toFixed(3)}`]),
  ].join('\n')
}
