import { ProblemError } from '../../cache/problems/problem.ts'
import type { Tokenizer } from '../../models/tokenizers/tokenizer.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { planTarget, sharedListing } from '../scheduler/plan-target.ts'
import { deploymentsOf, type Target } from '../record/target.ts'
import { estimate, type Estimate } from './estimate.ts'
import { callPlace, type PlannedCall } from '../spend/spending.ts'
import { readBatches } from '../batch/collect-batch.ts'
import { createCallGroups } from './group-calls.ts'
import { History, type SpendSample } from './history.ts'
import { keepingFor, type SharedEnv } from '../env/env.ts'
import { readLedger, type PlacedEntry } from '../spend/ledger.ts'
import type { Store } from '../../cache/store.ts'
import type { Prices } from '../../models/prices/price.ts'

/** What building targets will take, and how many of them have nothing to do. */
export interface TargetsEstimate extends Estimate {
  readonly targets: number
  readonly fresh: number
  /** Requests that batches have, which are not among the calls. */
  readonly sent: number
  /** Those whose data can't be read, which are not among the calls. */
  readonly unread: readonly UnreadTarget[]
}

interface UnreadTarget {
  readonly run: string
  readonly code: string
  readonly reason: string
}

/** What estimates rest on: planning, the prices of today, and the ledger. */
interface EstimateSource {
  readonly env: SharedEnv
  readonly prices: Prices
  readonly store: Store
}

/**
 * Plans the targets and prices what the store lacks. Writes nothing, calls nobody.
 * @param onCall is given each call that is counted, once
 * @throws ProblemError the first one of the data, unless `skipsUnread`
 */
export const estimateTargets = async (
  targets: readonly Target[],
  source: EstimateSource,
  onCall: (call: PlannedCall) => void = () => undefined,
  { skipsUnread = false } = {},
): Promise<TargetsEstimate> => {
  const { env, prices } = source
  const stores = await storesOf(targets, source)
  const entries = stores.flatMap(([, store]) => [...readLedger(store)])
  const inBatches = sentPlaces(stores)
  const sent = new Set<string>()
  const tokenizers = await tokenizersOf(targets, env)
  const calls = createCallGroups(
    ({ name }) => tokenizers.get(name),
    new Set(entries.map(({ completion }) => completion)),
  )
  const unread: UnreadTarget[] = []
  let fresh = 0
  const listing = sharedListing()
  for (const target of targets) {
    try {
      const plan = await planTarget(
        target,
        env,
        (call) => {
          const place = callPlace(call) ?? ''
          if (call.completion === undefined && inBatches.has(place)) sent.add(place)
          else if (calls.add(call)) onCall(call)
        },
        listing,
      )
      if (plan.fresh) fresh += 1
    } catch (error) {
      if (!skipsUnread || !(error instanceof ProblemError)) throw error
      const [{ code, message } = { code: '', message: error.message }] = error.problems
      unread.push({ run: target.spec.name, code, reason: message })
    }
  }
  const paceOf = (name: string) => {
    const deployment = calls.deployments().get(name)
    if (deployment === undefined) throw new RangeError(`${name} was not planned`)
    return { ...deployment.limits, concurrency: env.limiter(deployment).concurrency }
  }
  const history = new History([...entries.flatMap(sampleOf), ...calls.samples()])
  return {
    ...estimate(calls.groups(), { history, prices, pace: paceOf }),
    targets: targets.length,
    fresh,
    sent: sent.size,
    unread,
  }
}

/** The vault is opened only where one of the targets needs it anyway. */
const storesOf = async (
  targets: readonly Target[],
  { env, store }: EstimateSource,
): Promise<readonly (readonly ['open' | 'vault', Store])[]> => {
  const stores = new Set([store])
  for (const { spec } of targets) stores.add((await keepingFor(spec.benchmark, env)).store)
  return Array.from(stores, (each) => [each === store ? 'open' : 'vault', each])
}

/** Of requests that batches have, as calls name them. */
const sentPlaces = (stores: Awaited<ReturnType<typeof storesOf>>): ReadonlySet<string> =>
  new Set(
    stores.flatMap(([place, store]) =>
      readBatches(store).flatMap(({ lines }) => lines.map(({ digest }) => `${place} ${digest}`)),
    ),
  )

const tokenizersOf = async (
  targets: readonly Target[],
  env: SharedEnv,
): Promise<ReadonlyMap<string, Tokenizer>> => {
  const asked = new Map<string, ModelDeployment>()
  for (const each of targets.flatMap(deploymentsOf)) asked.set(each.name, each)
  const found = new Map<string, Tokenizer>()
  for (const [name, deployment] of asked) {
    const tokenizer = await env.tokenizer(deployment)
    if (tokenizer !== undefined) found.set(name, tokenizer)
  }
  return found
}

const sampleOf = ({
  deployment,
  benchmark,
  judge,
  promptBytes,
  outputBound = Infinity,
  seconds,
  stage,
  usage,
  usd,
  ceiling,
}: PlacedEntry): readonly SpendSample[] =>
  // A check asks for one word, whatever the deployment answers otherwise.
  usage === null || stage === 'check'
    ? []
    : [
        {
          deployment,
          benchmark,
          judged: judge !== null,
          promptBytes,
          inputTokens: usage.inputTokens,
          outputTokens: usage.outputTokens,
          seconds,
          overran: usage.outputTokens > outputBound || (usd !== null && ceiling !== null && usd > ceiling),
        },
      ]
