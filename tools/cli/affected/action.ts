import { plural } from '../../../cache/words/number-text.ts'
import { EXIT } from '../../../cache/problems/problem.ts'
import { STAGES } from '../../../targets/event.ts'
import { changedTargets } from '../../../targets/scheduler/changed-targets.ts'
import { planInTurn, type TargetPlan } from '../../../targets/scheduler/plan-target.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { headTargets, withBase } from '../common/base-targets.ts'
import { choiceFlag, textFlag } from '../flags.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { planJson, planText } from '../common/plan.ts'

/** Pairs whose key differs from the base's, and what building them would take. */
interface Affected {
  readonly plans: readonly TargetPlan[]
  readonly removed: readonly string[]
  readonly total: number
}

const FORMATS = ['text', 'markdown', 'json'] as const

/** `medmake affected`: keys at the base against keys here; no file lists, so a reformatted file affects nothing. */
export const affectedAction: Action = async (invocation) => {
  const { flags, print } = invocation
  const format = choiceFlag(flags, 'format', FORMATS)
  const base = textFlag(flags, 'base') ?? 'main'
  const found = await findAffected(invocation, base)
  if (format === 'json')
    print(JSON.stringify({ base, ...planJson(found.plans), removed: found.removed, total: found.total }))
  else if (format === 'markdown') print(markdown(found, base))
  else print(text(found, base))
  return EXIT.done
}

const findAffected = async (invocation: Invocation, commit: string): Promise<Affected> => {
  const workspace = await findWorkspace(invocation.cwd)
  const before = await withBase(invocation, workspace, commit, (_, targets) => Promise.resolve(targets))
  return withSession(invocation, { workspace, readOnly: true }, async (session) => {
    const targets = await headTargets(invocation, session)
    const { changed, removed, total } = changedTargets(targets, before)
    const plans: TargetPlan[] = []
    const plan = planInTurn(session.env)
    for (const { head } of changed) plans.push(await plan(head.target))
    return { plans, removed, total }
  })
}

const text = ({ plans, removed, total }: Affected, base: string): string =>
  [
    `${plans.length} of ${total} pairs differ from ${base}`,
    ...removed.map((name) => `removed: ${name}`),
    ...(plans.length > 0 ? [planText(plans)] : []),
  ].join('\n')

const markdown = ({ plans, removed, total }: Affected, base: string): string => {
  const calls = plans.reduce((sum, plan) => sum + plan.calls, 0)
  const head = `| pair | ${STAGES.join(' | ')} | calls |\n|---|${STAGES.map(() => '---:|').join('')}---:|`
  const rows = plans.map(
    ({ target, stages, calls: own }) =>
      `| \`${target.spec.name}\` | ${STAGES.map((stage) => stages[stage].execute).join(' | ')} | ${own} |`,
  )
  return [
    `**${plans.length} of ${total} pairs** differ from \`${base}\`; building them takes at most **${plural(calls, 'provider call')}**.`,
    ...(rows.length > 0 ? ['', head, ...rows] : []),
    ...(removed.length > 0 ? ['', `Removed: ${removed.map((name) => `\`${name}\``).join(', ')}`] : []),
  ].join('\n')
}
