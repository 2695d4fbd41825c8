import { join } from 'node:path'
import { requireMakeable } from '../../../cache/files/folders.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import type { RunRecord } from '../../../targets/record/record.ts'
import type { Target } from '../../../targets/record/target.ts'
import { requireAgreements } from '../../../targets/access/agreements.ts'
import type { SharedEnv } from '../../../targets/env/env.ts'
import { readCards } from '../assemble.ts'
import { releasedTarget } from './released-target.ts'
import { replayCard, writeReplayed } from './replay-card.ts'
import { ownCode, type OwnCode } from './own-code.ts'
import { queryDatabases, type Databases } from './query-databases.ts'
import { releasedRequests } from './released-requests.ts'
import { unchangedRelease } from '../verify.ts'
import { splitCards, type NotScored, type ReproduceOptions } from './reproduce.ts'
import type { RunCard } from '../run-card.ts'

interface AskedAgain {
  readonly name: string
  readonly record: RunRecord
}

export interface AskedRelease {
  readonly runs: readonly AskedAgain[]
  readonly left: readonly NotScored[]
  /** Whether it was stopped before all were asked. */
  readonly isStopped: boolean
}

/**
 * Asks another model the exact requests of a release and scores it as the release was: with its jury, metrics and
 * references. Neither a data set nor a benchmark need be here. Writes the runs to `output`, complete ones only.
 *
 * @param output `<output>/runs/<suite>`
 * @throws ProblemError `release/unknown-model`, `release/no-database`, `models/data-agreement`
 */
export const askReleased = async (
  bundle: string,
  model: string,
  {
    output,
    registry,
    ...options
  }: ReproduceOptions & { readonly output: string; readonly registry: ModelRegistry },
): Promise<AskedRelease> => {
  const { env } = options
  const deployment = registry.deployment(model) ?? registry.defaultDeployment(model)
  if (deployment === undefined) throw unknownModel(model, registry)
  // Whom it costs money must not be asked what nobody released.
  await unchangedRelease(bundle)
  const cards = await readCards(bundle)
  const code = await ownCode(cards, options.benchmarks)
  const { anew, left } = splitCards(cards, code)
  const chosen = onePerRequestSet(anew, deployment)
  const databases = await queryDatabases(chosen, options.databases, options.benchmarks)
  const asking: Asking = { deployment, output, registry, env, databases, code }
  const targets: Target[] = []
  for (const card of chosen) {
    const target = await targetFor(bundle, card, asking)
    targets.push(target)
    // A run that lacks its requests, or a place, is told before another's are paid for.
    requireMakeable(join(output, target.spec.name))
    await releasedRequests(bundle, card, () => null)
  }
  requireAgreements(targets, env.endpoint)
  const runs: AskedAgain[] = []
  // Every other model of the release was asked the same: one run a benchmark is enough.
  for (const card of chosen) {
    const run = await askRun(bundle, card, asking)
    if (run === undefined) break
    runs.push(run)
  }
  return {
    runs,
    left,
    isStopped: runs.length < chosen.length,
  }
}

const unknownModel = (model: string, registry: ModelRegistry): ProblemError =>
  new ProblemError({
    code: 'release/unknown-model',
    message: `nothing declares a model ${model}`,
    where: { field: '--model' },
    remedy: `${registry.suggest(model)}Declare it in models/*.yaml; \`medmake models\` lists all.`,
  })

const onePerRequestSet = (cards: readonly RunCard[], deployment: ModelDeployment): readonly RunCard[] => {
  const found = new Map<string, RunCard>()
  for (const card of cards) {
    const name = nameFor(card, deployment)
    if (!found.has(name)) found.set(name, card)
  }
  return [...found.values()]
}

/** HELM's run name with the other model in it. */
const nameFor = ({ name }: RunCard, deployment: ModelDeployment): string => {
  const shown = (text: string): string => text.replaceAll('/', '_')
  const [start = name, ...rest] = name.split(/(?<=[:,])(?=model=|model_deployment=)/)
  const kept = rest.map((part) => part.replace(/^(?:model|model_deployment)=[^,]*,?/, '')).filter(Boolean)
  const own = [
    `model=${shown(deployment.modelName)}`,
    ...(deployment.name === deployment.modelName ? [] : [`model_deployment=${shown(deployment.name)}`]),
  ]
  return `${start}${[...own, ...kept].join(',')}`
}

interface Asking {
  readonly deployment: ModelDeployment
  readonly output: string
  readonly registry: ModelRegistry
  readonly env: SharedEnv
  readonly databases: Databases
  readonly code: ReadonlyMap<RunCard, OwnCode>
}

const askRun = async (bundle: string, card: RunCard, asking: Asking): Promise<AskedAgain | undefined> => {
  const { deployment, output, env } = asking
  const target = await targetFor(bundle, card, asking)
  const { tokenizerName } = deployment
  const tokenizer = await env.tokenizer(deployment)
  // HELM counts 1 token where no tokenizer is set.
  const unknown = tokenizerName === undefined ? 1 : null
  const promptTokens = (prompt: string): number | null => tokenizer?.count(prompt) ?? unknown
  const replayed = await replayCard(bundle, card, target, { env, promptTokens })
  if (replayed === undefined) return undefined
  const { name } = target.spec
  const { record } = replayed
  for (const failure of record.failures) env.listener({ type: 'instance-failed', target: name, ...failure })
  if (record.complete) await writeReplayed(join(output, name), target, replayed)
  return { name, record }
}

/** Judges that are declared here are asked as they are declared; others answer from the cache only. */
const targetFor = async (
  bundle: string,
  card: RunCard,
  { deployment, registry, databases, code }: Asking,
): Promise<Target> => {
  const { spec, judges } = await releasedTarget(bundle, card, { databases, code: code.get(card) })
  const adapter = { ...spec.adapter, model: deployment.modelName, modelDeployment: deployment.name }
  const name = nameFor(card, deployment)
  return {
    spec: { ...spec, name, adapter, benchmark: { ...spec.benchmark, adapter } },
    deployment,
    judges: judges.map((judge) => ({
      judge: judge.judge,
      deployment: registry.deployment(judge.deployment.name) ?? judge.deployment,
    })),
  }
}
