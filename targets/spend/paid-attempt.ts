import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { type Digest, digestJson } from '../../cache/values/digest.ts'
import {
  aborted,
  ClientError,
  type CompletionRequest,
  type Reply,
  mayBeBilled,
  type Client,
} from '../../models/calls/client.ts'
import type { Turn } from '../../models/limits/limiter.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { type SpendEnv, outputBound, promptBytes, usageCost, observedCost } from './spending.ts'
import { putEntry, type LedgerEntry } from './ledger.ts'
import type { Price } from '../../models/prices/price.ts'
import type { TokenUsage, UsageWithJudges } from '../record/completion.ts'
import { isRemote } from '../../models/clients/create-client.ts'
import type { Target } from '../record/target.ts'

/** Whose text is asked about, and for what; events and ledger repeat it. */
export interface AskedFor {
  /** The run's. */
  readonly name: string
  readonly benchmark: Pick<Benchmark, 'name' | 'access'>
  readonly adapter: Pick<AdapterSpec, 'modelDeployment'>
  /** Absent where the model itself is asked. */
  readonly judge?: string
  /** Nobody's text: only whether the deployment answers. */
  readonly isCheck?: true
}

export interface PaidCall {
  readonly deployment: ModelDeployment
  readonly run: AskedFor
  readonly digest: Digest<'completion'>
  readonly request: CompletionRequest
}

/** One attempt at a call that costs money. Exactly one of its ends is to be told. */
interface PaidAttempt {
  /** Resolves when the ledger's entry is on disk. Call it before the reply is stored, in the same turn. */
  replied(reply: Reply): Promise<void>
  /** Enters what may be charged although no reply came. */
  failed(error: unknown): Promise<void>
}

/**
 * @param turn the call's, which may come anew: room under a cap and a tier are waited for
 * @throws ClientError `call/aborted` where a cap leaves no room
 */
export const beginAttempt = async (call: PaidCall, env: SpendEnv, turn?: Turn): Promise<PaidAttempt> => {
  const { deployment, request, digest } = call
  const held = await env.spending.reserve(deployment, request)
  if (held === undefined) throw aborted()
  try {
    while ((await turn?.renew(env.stop)) === true) if (!(await env.spending.mayBegin())) throw aborted()
  } catch (error) {
    held.settle(0)
    throw error
  }
  const price = env.spending.priceOf(deployment.name)
  const started = env.clock()
  const entryOf = (end: Pick<LedgerEntry, 'outcome' | 'usage' | 'usd'>): LedgerEntry => ({
    ...namesOf(call, env),
    ...end,
    batch: false,
    seconds: (env.clock() - started) / 1000,
    price: price === undefined ? null : chargedPrice(price),
    // Of a known cost the request's own bound: by what it was passed later runs reserve more.
    ceiling: end.usd === null ? held.ceiling : held.bound,
  })
  return {
    replied: (reply) => {
      const { usage } = reply
      const usd = usageCost(usage, price)
      held.settle(usd ?? held.ceiling ?? 0)
      tellOddities(call, { reply, usd, bound: held.bound }, env)
      return putEntry(digest, entryOf({ outcome: 'paid', usage: usage ?? null, usd }), env.store)
    },
    failed: async (error) => {
      const charged = !(error instanceof ClientError) || mayBeBilled(error)
      held.settle(charged ? (held.ceiling ?? 0) : 0)
      if (!charged) return
      env.listener({ type: 'call-uncertain', target: call.run.name, usd: held.ceiling })
      const usd = held.ceiling === 0 ? 0 : null
      await putEntry(digest, entryOf({ outcome: 'uncertain', usage: null, usd }), env.store)
    },
  }
}

interface Named {
  readonly name: string
}

/** Tells what a bill would show otherwise than expected. */
export const tellOddities = (
  { run, deployment }: { readonly run: Named; readonly deployment: Named },
  {
    reply,
    usd,
    bound,
  }: { readonly reply: Reply; readonly usd: number | null; readonly bound: number | null },
  { listener }: Pick<SpendEnv, 'listener'>,
): void => {
  const names = { target: run.name, deployment: deployment.name }
  if (reply.impossibleUsage === true) listener({ type: 'usage-impossible', ...names })
  if (usd !== null && bound !== null && usd > bound)
    listener({ type: 'call-overran', ...names, usd: usd - bound })
}

const namesOf = (
  call: PaidCall,
  env: SpendEnv,
): Pick<LedgerEntry, 'time' | 'run'> & ReturnType<typeof ledgerNames> => ({
  time: new Date(env.now()).toISOString(),
  run: env.spending.run,
  ...ledgerNames(call),
})

/** What a call is for, by names, and what it asks for, in numbers. */
export const ledgerNames = ({
  deployment,
  run,
  request,
}: Pick<PaidCall, 'deployment' | 'run' | 'request'>): Pick<
  LedgerEntry,
  'target' | 'benchmark' | 'model' | 'deployment' | 'judge' | 'stage' | 'promptBytes' | 'outputBound'
> => ({
  target: run.name,
  benchmark: run.benchmark.name,
  model: run.adapter.modelDeployment,
  deployment: deployment.name,
  judge: run.judge ?? null,
  stage: run.isCheck === true ? 'check' : run.judge === undefined ? 'completions' : 'annotations',
  promptBytes: promptBytes(request),
  outputBound: outputBound(request, deployment),
})

const chargedPrice = ({ input, cachedInput, output, date }: NonNullable<LedgerEntry['price']>) => ({
  input,
  ...(cachedInput === undefined ? {} : { cachedInput }),
  output,
  date,
})

/** Short, and none of anybody's data. */
const REQUEST: CompletionRequest = {
  messages: [{ role: 'user', content: 'Answer with the word "ready" and nothing else.' }],
  temperature: 0,
  topP: 1,
  maxTokens: 16,
  stop: [],
  n: 1,
  sampleIndex: 0,
}

/**
 * One small call, to see whether a deployment answers. Its reply is not kept; what it costs is under the caps and in the
 * ledger as any other call's.
 *
 * @throws ClientError, ProblemError `spend/no-price`
 */
export const checkCall = async (
  deployment: ModelDeployment,
  client: Client,
  env: SpendEnv,
): Promise<Reply> => {
  if (client.local) return client.complete(REQUEST, env.abort)
  const run: AskedFor = {
    name: 'models check',
    benchmark: { name: 'models check', access: 'public' },
    adapter: { modelDeployment: deployment.name },
    isCheck: true,
  }
  const digest = digestJson<'completion'>(['models check', deployment.name])
  const attempt = await beginAttempt({ deployment, run, digest, request: REQUEST }, env)
  let reply: Reply
  try {
    reply = await client.complete(REQUEST, env.abort)
  } catch (error) {
    await attempt.failed(error)
    throw error
  }
  await attempt.replied(reply)
  return reply
}

/** What asking for a run's replies again would cost, of its model and of each judge that is asked over a network. */
export const usageCosts = (
  { deployment, judges }: Target,
  usage: UsageWithJudges,
  priceOf: (deployment: string) => Price | undefined,
): readonly { readonly replies: number; readonly usd: number | null }[] =>
  [
    costOfPart(deployment, usage, priceOf),
    ...judges.map(({ judge, deployment: asked }) => costOfPart(asked, usage.judges[judge.name], priceOf)),
  ].flat()

const costOfPart = (
  deployment: ModelDeployment,
  usage: TokenUsage | undefined,
  priceOf: (deployment: string) => Price | undefined,
): ReturnType<typeof usageCosts> =>
  usage === undefined || usage.calls === 0 || !isRemote(deployment)
    ? []
    : [{ replies: usage.calls, usd: observedCost(usage, priceOf(deployment.name)) }]
