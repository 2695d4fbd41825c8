import { EXIT, ProblemError } from '../../../cache/problem.ts'
import type { Digest } from '../../../cache/digest.ts'
import { STAGES } from '../../../targets/event.ts'
import { planTarget, type TargetPlan } from '../../../targets/scheduler/plan.ts'
import { targetKey } from '../../../targets/scheduler/target-key.ts'
import { checkOut } from '../../session/checkout.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace, type Workspace } from '../../session/workspace.ts'
import { textFlag } from '../flags.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { planJson, planText } from './plan.ts'
import { suitesOf } from './suites.ts'

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
  const format = textFlag(flags, 'format') ?? 'text'
  if (!FORMATS.some((known) => known === format))
    throw new ProblemError({
      code: 'cli/bad-flag',
      message: `--format ${format} is unknown`,
      where: { field: '--format' },
      remedy: `Use ${FORMATS.join(', ')}.`,
    })
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
  const checkout = await checkOut(workspace.root, commit)
  try {
    const base = await baseWorkspace(workspace, checkout.workspace)
    const before = await withSession(
      invocation,
      { workspace: base, cwd: base.root, readOnly: true },
      (session) => keysOf(session, base),
    )
    return await withSession(invocation, { workspace, readOnly: true }, async (session) => {
      const targets = await resolveTargets(await suitesOf(invocation, workspace), session)
      const plans: TargetPlan[] = []
      const names = new Set<string>()
      for (const { target } of targets) {
        names.add(target.spec.name)
        const { digest } = await targetKey(target, session.env.profile)
        if (before.get(target.spec.name) !== digest) plans.push(await planTarget(target, session.env))
      }
      return { plans, removed: [...before.keys()].filter((name) => !names.has(name)), total: names.size }
    })
  } finally {
    await checkout.remove()
  }
}

/** The base's declarations and defaults with this workspace's store, data and keys: those are in no commit. */
const baseWorkspace = async (here: Workspace, root: string): Promise<Workspace> => ({
  ...(await findWorkspace(root)),
  root,
  path: here.path,
})

const keysOf = async (
  session: Session,
  workspace: Workspace,
): Promise<ReadonlyMap<string, Digest<'target'>>> => {
  const suites = await suitesOf(
    { args: [], flags: {}, cwd: workspace.root, env: {}, print: () => {}, warn: () => {}, strictHelm: false },
    workspace,
  )
  const keys = new Map<string, Digest<'target'>>()
  for (const { target } of await resolveTargets(suites, session))
    keys.set(target.spec.name, (await targetKey(target, session.env.profile)).digest)
  return keys
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
    `**${plans.length} of ${total} pairs** differ from \`${base}\`; building them takes at most **${calls} provider calls**.`,
    ...(rows.length > 0 ? ['', head, ...rows] : []),
    ...(removed.length > 0 ? ['', `Removed: ${removed.map((name) => `\`${name}\``).join(', ')}`] : []),
  ].join('\n')
}
