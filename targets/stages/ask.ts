import { allEnded } from '../../cache/lists.ts'
import { asJson } from '../../cache/stored-shape.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { failed, type Outcome } from '../../cache/problems/problem.ts'
import type { Claim } from '../../cache/store.ts'
import { callRemedy } from '../../models/clients/call-error.ts'
import { isRemote } from '../../models/clients/create-client.ts'
import { ClientError, type CompletionRequest, type Reply } from '../../models/calls/client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Turn } from '../../models/limits/limiter.ts'
import { AttemptsError, withRetries } from '../../models/retry.ts'
import { requireAgreement } from '../access/agreements.ts'
import { discreetDetail } from '../access/discreet-texts.ts'
import {
  completionOf,
  storedCompletion,
  type Completion,
  type StoredCompletion,
} from '../record/completion.ts'
import { NOT_MADE } from '../record/coverage.ts'
import { noteUnpaid } from '../record/unpaid-reply.ts'
import type { BatchCall } from '../batch/batches.ts'
import { beginAttempt, type AskedFor, checkCall } from '../spend/paid-attempt.ts'
import { usageCost } from '../spend/spending.ts'
import { completionKey, completionParts } from '../keys/keys.ts'
import type { StageEnv } from '../env/env.ts'

interface Asked {
  readonly outcome: Outcome<Completion>
  /** True when the store had the reply. */
  readonly cached: boolean
}

/** Asks one deployment; model and judges go the same way, through the same store and limiter. */
export interface Asker {
  ask(request: CompletionRequest): Promise<Asked>
  /** The stored reply, without ever calling. */
  peek(request: CompletionRequest): {
    readonly digest: Digest<'completion'>
    readonly completion?: Completion
  }
}

/** Where the store keeps a deployment's reply to a request, and the readable key beside it. */
export const completionPlace = (
  deployment: ModelDeployment,
  request: CompletionRequest,
): { readonly digest: Digest<'completion'>; readonly key: JsonObject } => {
  const template = completionKey(deployment)
  const parts = completionParts(request)
  return { digest: template.digest(parts), key: template.key(parts) }
}

/** @param judges who will read the replies: one that cannot be asked is told before a reply is paid for */
export const createAsker = (
  deployment: ModelDeployment,
  run: AskedFor,
  env: StageEnv,
  judges: readonly ModelDeployment[] = [],
): Asker => {
  const template = completionKey(deployment)
  const load = (digest: Digest<'completion'>): Completion | undefined => {
    const value = storedCompletion(env.store.get('completions', digest))
    return value === undefined ? undefined : completionOf(digest, value)
  }
  const peek = (request: CompletionRequest): { digest: Digest<'completion'>; completion?: Completion } => {
    const digest = template.digest(completionParts(request))
    const completion = load(digest)
    return completion === undefined ? { digest } : { digest, completion }
  }
  const isPaid = isRemote(deployment)
  const ask = async (request: CompletionRequest): Promise<Asked> => {
    const parts = completionParts(request)
    const digest = template.digest(parts)
    const completion = load(digest)
    if (completion !== undefined) return { outcome: { kind: 'done', value: completion }, cached: true }
    const key = template.key(parts)
    const place = `${run.benchmark.access === 'public' ? 'open' : 'vault'} ${digest}`
    return produce(place, () => claimAndCall({ deployment, run, digest, key, request, load, judges }, env))
  }
  return {
    peek,
    ask: async (request) => {
      const asked = await ask(request)
      if (isPaid && asked.cached && asked.outcome.kind === 'done') {
        const usd = usageCost(asked.outcome.value.stored.reply.usage, env.spending.priceOf(deployment.name))
        env.listener({ type: 'replies-reused', target: run.name, replies: 1, usd })
      }
      return asked
    },
  }
}

/** Equal requests in flight in this process share one call, as far as their replies are kept in one place. */
const inFlight = new Map<string, Promise<Asked>>()

const produce = (place: string, call: () => Promise<Asked>): Promise<Asked> => {
  const running = inFlight.get(place)
  if (running !== undefined)
    return running.then((asked) => ({ ...asked, cached: asked.outcome.kind === 'done' }))
  const promise = call().finally(() => inFlight.delete(place))
  inFlight.set(place, promise)
  return promise
}

interface Call extends BatchCall {
  readonly load: (digest: Digest<'completion'>) => Completion | undefined
  readonly judges: readonly ModelDeployment[]
}

const claimAndCall = async (call: Call, env: StageEnv): Promise<Asked> => {
  const { deployment, digest, load, run, judges } = call
  if (env.storedOnly === true)
    return { outcome: failed(NOT_MADE, 'no reply is stored, and nobody was asked'), cached: false }
  const client = await env.client(deployment)
  requireAgreement(run.benchmark, deployment, client)
  for (const judge of judges) if (isRemote(judge)) await env.client(judge)
  if (client.local) return reportCall(call, env, undefined)
  if (env.batches !== undefined) env.store.requireRoom()
  const waiting = await env.batches?.ask(call, env)
  if (waiting !== undefined) return { outcome: waiting, cached: false }
  for (;;) {
    if (env.stop.aborted) return { outcome: failed('call/aborted', 'the run was stopped'), cached: false }
    const claim = await env.store.claim(digest)
    if (claim !== undefined) return reportCall(call, env, claim)
    // Another process is on it: its reply is ours too, unless it dies or fails.
    await new Promise((resolve) => setTimeout(resolve, 50))
    const theirs = load(digest)
    if (theirs !== undefined) return { outcome: { kind: 'done', value: theirs }, cached: true }
  }
}

const reportCall = async (call: Call, env: StageEnv, claim: Claim | undefined): Promise<Asked> => {
  const { digest, load } = call
  try {
    // Between the first look and the claim another process may have finished.
    const theirs = claim === undefined ? undefined : load(digest)
    if (theirs !== undefined) return { outcome: { kind: 'done', value: theirs }, cached: true }
    const sent = claim && env.batches?.sent(call, env)
    if (sent !== undefined) return { outcome: sent, cached: false }
    return { outcome: await callAndKeep(call, env), cached: false }
  } finally {
    await claim?.release()
  }
}

/**
 * Calls, then waits until the reply is on disk: only then is it done, and only then may the next call take its place.
 * So a kill never costs more calls than may be in flight.
 */
const callAndKeep = async (call: Call, env: StageEnv): Promise<Outcome<Completion>> => {
  const { deployment, digest, key, request, run } = call
  const client = await env.client(deployment)
  const limiter = env.limiter(deployment)
  let attempts = 0
  const callOnce = async (turn: Turn): Promise<StoredCompletion> => {
    // A reply that could not be kept would be paid for again.
    env.store.requireRoom()
    const attempt = client.local ? undefined : await beginAttempt(call, env, turn)
    attempts += 1
    const [started, begun] = [env.now(), env.clock()]
    let reply: Reply
    try {
      reply = await client.complete(request, env.abort)
    } catch (error) {
      await attempt?.failed(error)
      throw error
    }
    if (reply.usage) turn.spent(reply.usage.inputTokens + reply.usage.outputTokens)
    // Told before it is kept: what a full disk loses was paid for all the same.
    if (!client.local) {
      const usd = usageCost(reply.usage, env.spending.priceOf(deployment.name))
      env.listener({ type: 'provider-call', target: run.name, deployment: deployment.name, usd })
    }
    const stored: StoredCompletion = {
      key,
      reply,
      requestTime: client.local ? 0 : (env.clock() - begun) / 1000,
      requestDatetime: client.local ? 0 : Math.floor(started / 1000),
      attempts,
    }
    const { name, access } = run.benchmark
    const noted = client.local && access === 'public' ? noteUnpaid(name, digest, env.store) : undefined
    await allEnded([noted, attempt?.replied(reply), env.store.put('completions', digest, asJson(stored))])
    return stored
  }
  try {
    const stored = await withRetries(callOnce, {
      deployment: deployment.name,
      policy: env.retry,
      limiter,
      availability: env.availability(deployment),
      check: () => checkCall(deployment, client, env),
      onStopped: (error) =>
        env.listener({
          type: 'deployment-stopped',
          deployment: deployment.name,
          code: error.code,
          detail: discreetDetail({ code: error.code, detail: error.message }, run.benchmark.access),
          remedy: callRemedy(error, deployment),
        }),
      signal: env.stop,
      onEvent: env.listener,
      random: env.random,
    })
    return { kind: 'done', value: completionOf(digest, stored) }
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    return failed(error.code, error.message, error instanceof AttemptsError ? error.attempts : attempts)
  }
}
