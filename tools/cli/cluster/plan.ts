import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { replaceFile } from '../../../cache/files/write.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { planFile } from '../../../cache/tier/tier.ts'
import { isRemote } from '../../../models/clients/create-client.ts'
import { mostTasks, splitLimits } from '../../../models/limits/split-limits.ts'
import { requireAgreements } from '../../../targets/access/agreements.ts'
import { shardOf } from '../../../targets/keys/shard.ts'
import { deploymentsOf, type Target } from '../../../targets/record/target.ts'
import { planDigest, shardPlan } from '../../../targets/scheduler/shard-targets.ts'
import { clusterFolder, clusterName, findClusterFile, writeClusterFile } from '../../cluster/cluster-file.ts'
import { arrayScript, headScript, type ScriptOptions } from '../../cluster/slurm.ts'
import { tierUse } from '../../session/tier/session-tier.ts'
import { withScratch } from '../../session/tier/scratch.ts'
import { readVaultMark } from '../../session/tier/sealed.ts'
import type { Session } from '../../session/session.ts'
import { requirePrices } from '../../session/spending/session-spending.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { estimateTargets, type TargetsEstimate } from '../../../targets/estimate/estimate-targets.ts'
import { formatEstimate } from '../../spend/format-estimate.ts'
import { targetsOf } from '../common/suites.ts'
import { boolFlag, countFlag, flagNamed, usdFlag } from '../flags.ts'
import { withSession } from '../with-session.ts'
import type { Action, FlagValues } from '../verb.ts'
import { requireShares } from '../run/require-shares.ts'
import { tierOf, tierPlace } from '../common/session-flags.ts'

/** No array of Slurm's has more, whatever its MaxArraySize. */
const MOST_TASKS = 4_000_000

/** `medmake cluster plan`: what a run would take, how it would be cut, and the scripts that do it. Calls nobody. */
export const planAction: Action = async (invocation) => {
  const { flags, print, args, env } = invocation
  const shards = countFlag(flags, 'tasks', 1, MOST_TASKS + 1)
  const workspace = await findWorkspace(invocation.cwd)
  const [tier, place] = [await tierOf(invocation, workspace), tierPlace(invocation, workspace)]
  if (shards === undefined) throw missing('--tasks', 'Add --tasks 16.')
  if (tier === undefined || place === undefined)
    throw missing('--tier', 'Add --tier /folder/that/all/nodes/reach, or store: { tier: … } to medmake.yaml.')
  const use = { ...tierUse(tier, workspace.config), wholeLedger: false }
  // A store on a network file system is refused, and login nodes have little else.
  return withScratch(env, ({ storePath }) =>
    withSession(invocation, { workspace, tier: use, storePath }, async (session) => {
      const found = await targetsOf(invocation, session)
      const targets = found.map(({ target }) => target)
      requireAgreements(targets, session.env.endpoint)
      requireShares(targets, shards)
      await requirePrices(targets, session)
      const plan = await shardPlan(
        targets,
        { shards, vault: await readVaultMark(targets, session) },
        session.env,
      )
      const digest = planDigest(plan)
      const sizes = Array.from({ length: shards }, () => 0)
      const estimate = await estimateTargets(targets, session, ({ request, judge, completion }) => {
        if (judge !== null || completion !== undefined) return
        const shard = shardOf(request, shards)
        sizes[shard] = (sizes[shard] ?? 0) + 1
      })
      await tier.create(planFile(digest), `${JSON.stringify(plan)}\n`)
      const name = clusterName(args)
      const usd = usdFlag(flags, 'maxUsd')
      const run = [...args, ...flagWords(flags)]
      const before = findClusterFile(workspace.root, name)
      writeClusterFile(workspace.root, name, {
        plan: digest,
        shards,
        tier: place,
        run,
        caps: usd === undefined ? [] : ['--max-usd', String(usd)],
        // Tasks of the same plan may be at work.
        jobs: before?.plan === digest ? before.jobs : [],
      })
      const written = writeScripts({ root: workspace.root, name, tier: place, run })
      if (boolFlag(flags, 'json'))
        print(JSON.stringify({ plan: digest, shards, sizes, limits: limitParts(targets, shards), estimate }))
      else print([...planLines({ sizes, usd, targets, estimate }, session), ...written].join('\n'))
      return EXIT.done
    }),
  )
}

const missing = (field: string, remedy: string): ProblemError =>
  new ProblemError({
    code: 'cli/missing-flag',
    message: `medmake cluster plan needs ${field}`,
    where: { field },
    remedy,
  })

/** Flags that only planning takes, or that each task gets otherwise. */
const OWN = new Set(['tasks', 'tier', 'maxUsd', 'json', 'watch', 'store'])

/** Flags of the plan as words of `medmake run`. */
const flagWords = (flags: FlagValues): readonly string[] =>
  Object.entries(flags).flatMap(([name, value]) => {
    if (OWN.has(name) || value === undefined || value === false) return []
    const flag = flagNamed(name)
    return value === true ? [flag] : [flag, ...(typeof value === 'string' ? [value] : value)]
  })

/** What is there is its user's. */
const writeScripts = (options: ScriptOptions): readonly string[] =>
  (
    [
      ['.sbatch', arrayScript],
      ['.head.sbatch', headScript],
    ] as const
  ).map(([suffix, text]) => {
    const file = join(clusterFolder(options.root), `${options.name}${suffix}`)
    const shown = relative(options.root, file)
    if (existsSync(file)) return `kept ${shown}: delete it to have it made anew`
    replaceFile(file, text(options), { mode: 0o755 })
    return `wrote ${shown}`
  })

const limitParts = (targets: readonly Target[], count: number) => {
  const deployments = new Map(
    targets.flatMap(deploymentsOf).map((deployment) => [deployment.name, deployment]),
  )
  return [...deployments.values()]
    .filter((deployment) => isRemote(deployment) && mostTasks(deployment.limits) !== undefined)
    .map(({ name, limits }) => ({
      deployment: name,
      limits,
      part: splitLimits(limits, { index: count - 1, count }),
    }))
}

interface Told {
  readonly sizes: readonly number[]
  readonly usd: number | undefined
  readonly targets: readonly Target[]
  readonly estimate: TargetsEstimate
}

const planLines = ({ sizes, usd, targets, estimate }: Told, { workspace }: Session): readonly string[] => {
  const text = (limits: object): string =>
    Object.entries(limits)
      .map(
        ([name, value]) =>
          `${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${String(value)}`,
      )
      .join(', ')
  const calls = sizes.reduce((sum, size) => sum + size, 0)
  const least = sizes.reduce((one, other) => Math.min(one, other))
  const most = sizes.reduce((one, other) => Math.max(one, other))
  const cap = usd ?? workspace.config.budget?.max_usd
  return [
    formatEstimate(estimate),
    '',
    `${calls} answers in ${sizes.length} shards (${least}–${most} each); each shard asks the judges of its answers`,
    ...(cap === undefined ? [] : [`cap ${cap} USD: ${(cap / sizes.length).toFixed(2)} a task`]),
    ...limitParts(targets, sizes.length).map(
      ({ deployment, limits, part }) =>
        `limits of ${deployment}: ${text(limits)}; of a task at least ${text(part)}`,
    ),
  ]
}
