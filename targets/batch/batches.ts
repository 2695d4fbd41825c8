import { randomUUID } from 'node:crypto'
import { remembered } from '../../cache/once.ts'
import { digestJson } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { failed, type Outcome } from '../../cache/problems/problem.ts'
import type { Claim, Store } from '../../cache/store.ts'
import { takesBatches, type BatchApi, type ProviderBatch } from '../../models/clients/chat/batch-api.ts'
import { ClientError } from '../../models/calls/client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { WAITING } from '../record/coverage.ts'
import { type Reservation, type SpendEnv } from '../spend/spending.ts'
import { ledgerNames, type PaidCall } from '../spend/paid-attempt.ts'
import {
  putBatch,
  readBatches,
  removeBatch,
  type BatchRecord,
  type SentLine,
  collectBatch,
  lookAt,
} from './collect-batch.ts'

/** Providers take 50,000 lines and 200 MB. */
const MOST_LINES = 20_000
const MOST_CHARACTERS = 64e6

/** A request without a reply in the store. */
export interface BatchCall extends PaidCall {
  readonly key: JsonObject
}

/** A batch that is waited for. */
export interface WaitingBatch {
  readonly id: string
  readonly deployment: string
  readonly requests: number
  readonly sent: string
}

/** Batches of one invocation: what was sent earlier is collected, what is asked now is gathered and sent. */
export interface Batches {
  /**
   * Undefined: ask directly, or the reply is in the store by now. Else why there is no reply: it comes with a batch, or
   * the batch that it was in gave none.
   */
  ask(call: BatchCall, env: SpendEnv): Promise<Outcome<never> | undefined>
  /** Why a request must not be made although it is claimed: a batch has it by now, maybe another process's. */
  sent(call: BatchCall, env: SpendEnv): Outcome<never> | undefined
  /** Takes in what has ended of a deployment's batches, were none of their requests asked for any more. */
  look(deployment: ModelDeployment, env: SpendEnv): Promise<ClientError | undefined>
  /** Sends what was gathered; tells what is waited for. @throws ClientError, ProblemError */
  send(): Promise<readonly WaitingBatch[]>
  /** Of the deployments that were looked at: what is under way though nothing that was asked is in it. */
  idle(): readonly WaitingBatch[]
  /** Whether one of those that are waited for has ended. @throws ClientError */
  anyEnded(): Promise<boolean>
  /** Looks at batches anew with the next request. */
  forget(): void
  close(): Promise<void>
}

interface BatchesOptions {
  /** Gathers requests; else only what was sent earlier is collected. */
  readonly gather: boolean
  readonly open: (deployment: ModelDeployment) => Promise<BatchApi>
}

interface Gathered {
  readonly deployment: ModelDeployment
  readonly env: SpendEnv
  readonly calls: Map<string, BatchCall>
}

/** What batches of a store are under way, and which of them has a request. */
interface Sent {
  readonly markers: string
  readonly lines: ReadonlyMap<string, BatchRecord>
}

export const createBatches = (options: BatchesOptions): Batches => new InvocationBatches(options)

class InvocationBatches implements Batches {
  readonly #options: BatchesOptions
  readonly #apis = new Map<string, Promise<BatchApi>>()
  readonly #known = new Map<Store, Map<string, ReturnType<Batches['look']>>>()
  readonly #sent = new Map<Store, Sent>()
  readonly #gathered = new Map<Store, Map<string, Gathered>>()
  /** Markers of batches that have, or had, what was asked for. */
  readonly #awaited = new Set<string>()
  /** Of batches that ended: not sent again by this invocation. */
  readonly #unanswered = new Map<string, ClientError>()

  constructor(options: BatchesOptions) {
    this.#options = options
  }

  async ask(call: BatchCall, env: SpendEnv): ReturnType<Batches['ask']> {
    const { deployment, digest } = call
    const gathers = this.#options.gather && takesBatches(deployment, call.request.n)
    const found = await this.look(deployment, env)
    if (env.store.has('completions', digest)) return undefined
    const sent = this.sent(call, env)
    if (found !== undefined) return failed(found.code, `its batches could not be looked at: ${found.message}`)
    if (sent !== undefined) return sent
    const error = this.#unanswered.get(digest)
    if (error !== undefined) return failed(error.code, error.message)
    if (!gathers) return undefined
    const gathered = remembered(
      remembered(this.#gathered, env.store, () => new Map()),
      deployment.name,
      () => ({
        deployment,
        env,
        calls: new Map(),
      }),
    ) as Gathered
    gathered.calls.set(digest, call)
    return failed(WAITING, 'gathered for the next batch')
  }

  sent({ digest }: BatchCall, { store }: SpendEnv): Outcome<never> | undefined {
    const markers = Array.from(store.entries('batches'), ({ id }) => id).join(' ')
    if (this.#sent.get(store)?.markers !== markers)
      this.#sent.set(store, { markers, lines: sentLines(store) })
    const batch = this.#sent.get(store)?.lines.get(digest)
    if (batch !== undefined) this.#awaited.add(batch.marker)
    return batch && failed(WAITING, `sent with batch ${batch.id ?? batch.marker}`)
  }

  async send(): Promise<readonly WaitingBatch[]> {
    for (const byDeployment of this.#gathered.values())
      for (const gathered of byDeployment.values()) await this.#sendAll(gathered)
    this.#gathered.clear()
    return this.#underWay(true).map(toldOf)
  }

  idle(): readonly WaitingBatch[] {
    return this.#underWay(false).map(toldOf)
  }

  /** Of the deployments that were looked at. */
  #underWay(awaited: boolean): readonly BatchRecord[] {
    return [...this.#known].flatMap(([store, looked]) =>
      readBatches(store).filter(
        ({ deployment, marker }) => looked.has(deployment) && this.#awaited.has(marker) === awaited,
      ),
    )
  }

  async anyEnded(): Promise<boolean> {
    for (const { deployment, id } of this.#underWay(true)) {
      const api = await this.#apis.get(deployment)
      if (api === undefined || id === null) continue
      if ((await lookAt(id, api)).status !== 'waiting') return true
    }
    return false
  }

  forget(): void {
    for (const byDeployment of this.#known.values()) byDeployment.clear()
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#apis.values()].map(async (api) => (await api.catch(() => undefined))?.close()),
    )
  }

  #api(deployment: ModelDeployment): Promise<BatchApi> {
    return remembered(this.#apis, deployment.name, () => this.#options.open(deployment))
  }

  look(deployment: ModelDeployment, env: SpendEnv): ReturnType<Batches['look']> {
    const looked = remembered(this.#known, env.store, () => new Map<string, ReturnType<Batches['look']>>())
    return remembered(looked, deployment.name, () => this.#collect(deployment, env).catch(notReached))
  }

  /** Takes in what has ended; only one process at a time. */
  async #collect(deployment: ModelDeployment, env: SpendEnv): Promise<undefined> {
    const own = (): readonly BatchRecord[] =>
      readBatches(env.store).filter((batch) => batch.deployment === deployment.name)
    const claim = own().length === 0 ? undefined : await claimFor(deployment, env)
    if (claim === undefined) return
    try {
      const api = await this.#api(deployment)
      // Whoever had the claim may have collected some meanwhile.
      for (const batch of own()) {
        const found = batch.id === null ? await findLost(batch, api, env) : await lookAt(batch.id, api)
        if (found === undefined || found.status === 'waiting') continue
        for (const [digest, error] of await collectBatch(batch, found, api, env))
          this.#unanswered.set(digest, error)
      }
    } finally {
      await claim.release()
    }
  }

  async #sendAll({ deployment, env, calls }: Gathered): Promise<void> {
    const claim = await claimFor(deployment, env)
    if (claim === undefined) return
    const claims = [claim]
    try {
      const api = await this.#api(deployment)
      const open: BatchCall[] = []
      // Another process may have sent some meanwhile, or be asking them.
      for (const call of calls.values()) {
        const own = this.sent(call, env) ? undefined : await env.store.claim(call.digest)
        if (own === undefined) continue
        claims.push(own)
        if (!env.store.has('completions', call.digest)) open.push(call)
      }
      for (const part of parts(open, api)) {
        const marker = await sendPart(part, deployment, api, env)
        if (marker === undefined) return
        this.#awaited.add(marker)
      }
    } finally {
      for (const each of claims) await each.release()
    }
  }
}

const toldOf = ({ id, marker, deployment, lines, sent }: BatchRecord): WaitingBatch => ({
  id: id ?? marker,
  deployment,
  requests: lines.length,
  sent,
})

const notReached = (error: unknown): ClientError => {
  if (error instanceof ClientError) return error
  throw error
}

const sentLines = (store: Store): ReadonlyMap<string, BatchRecord> =>
  new Map(readBatches(store).flatMap((batch) => batch.lines.map(({ digest }) => [digest, batch] as const)))

/** The sole right to send and collect for a deployment; undefined once the run is stopped. */
const claimFor = async ({ name }: ModelDeployment, env: SpendEnv): Promise<Claim | undefined> => {
  while (!env.stop.aborted) {
    const claim = await env.store.claim(digestJson(['batches', name]))
    if (claim !== undefined) return claim
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return undefined
}

/** A batch that was begun when a process ended: the provider has it by its marker, or never got it. */
const findLost = async (
  batch: BatchRecord,
  api: BatchApi,
  { store }: SpendEnv,
): Promise<ProviderBatch | undefined> => {
  const found = await listed(batch, api)
  if (found === undefined) await removeBatch(batch, store)
  else if (found.status !== 'lost') await putBatch({ ...batch, id: found.id }, store)
  return found
}

/** A server that lists none can't say whether there is one: as good as one that it does not know. */
const listed = async (
  { marker, uploaded }: BatchRecord,
  api: BatchApi,
): Promise<ProviderBatch | undefined> => {
  try {
    return await api.find(marker, uploaded)
  } catch (error) {
    if (!(error instanceof ClientError) || !LISTLESS.has(error.status)) throw error
    const reason = 'the server lists no batches, and its id was lost'
    return { id: marker, status: 'lost', marker, files: [], reason }
  }
}

/** What answers who asks for a list that there is not. */
const LISTLESS: ReadonlySet<number | undefined> = new Set([404, 405, 501])

interface Part {
  readonly calls: readonly BatchCall[]
  readonly lines: readonly string[]
}

const parts = (calls: readonly BatchCall[], api: BatchApi): readonly Part[] => {
  const all: { calls: BatchCall[]; lines: string[]; characters: number }[] = []
  for (const call of calls) {
    const line = api.line({ id: call.digest, request: call.request })
    const last = all.at(-1)
    if (
      last === undefined ||
      last.lines.length >= MOST_LINES ||
      last.characters + line.length > MOST_CHARACTERS
    )
      all.push({ calls: [call], lines: [line], characters: line.length })
    else {
      last.calls.push(call)
      last.lines.push(line)
      last.characters += line.length
    }
  }
  return all
}

/** The batch's marker; undefined where a cap leaves no room: then nothing of the part is sent. */
const sendPart = async (
  { calls, lines }: Part,
  deployment: ModelDeployment,
  api: BatchApi,
  env: SpendEnv,
): Promise<string | undefined> => {
  const sent: SentLine[] = []
  const holds: Reservation[] = []
  const giveBack = (): void => {
    for (const held of holds) held.settle(0)
  }
  for (const { digest, key, run, request } of calls) {
    const held = await env.spending.reserve(deployment, request)
    if (held === undefined) {
      giveBack()
      return undefined
    }
    // Nobody knows the cost until the batch is back, maybe in another process: the most that it can be counts.
    held.settle(held.ceiling ?? 0)
    holds.push(held)
    const ledger = {
      ...ledgerNames({ deployment, run, request }),
      ceiling: held.ceiling,
    }
    sent.push({ digest, key, n: request.n, ledger })
  }
  const batch: BatchRecord = {
    marker: randomUUID(),
    deployment: deployment.name,
    id: null,
    sent: new Date(env.now()).toISOString(),
    lines: sent,
  }
  await putBatch(batch, env.store)
  try {
    let sentAt = batch
    const { id } = await api.submit(lines, batch.marker, async (uploaded) => {
      if (uploaded === undefined) return
      sentAt = { ...batch, uploaded }
      await putBatch(sentAt, env.store)
    })
    await putBatch({ ...sentAt, id }, env.store)
    return batch.marker
  } catch (error) {
    if (error instanceof ClientError && refuses(error)) {
      giveBack()
      await removeBatch(batch, env.store)
    }
    throw error
  }
}

/** Whether there is no batch for sure. Without a status, or behind a gateway that gave up waiting, there may be one. */
const refuses = ({ status = 500 }: ClientError): boolean => status < 500 && status !== 408 && status !== 409
