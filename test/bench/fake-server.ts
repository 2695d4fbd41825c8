import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fakeAnswer, type FakeAnswer, type FakeCall } from './fake-answer.ts'
import { createFakeBatches, type BatchEnd, type FakeAnswered, type FakeBatches } from './fake-batches.ts'

export interface FakeServerOptions {
  /** Milliseconds until an answer is sent. */
  readonly latency?: number
  /** Decides what a call gets; `fakeAnswer` unless given. */
  readonly answer?: (call: FakeCall) => FakeAnswer
  /** Keeps every call in the journal; off for long measurements. */
  readonly keepCalls?: boolean
}

/** What the server saw. */
export interface Journal {
  readonly requests: number
  readonly answered: number
  /** Bodies answered with 200 more than once: work paid for twice. */
  readonly duplicates: number
  readonly inFlightMax: number
  /** Answered with 429. */
  readonly rejected: number
  /** Lines of batches that were answered with 200. */
  readonly batchAnswered: number
  readonly calls: readonly FakeCall[]
}

/** A deterministic OpenAI-compatible chat server on the loopback interface. */
export interface FakeServer {
  /** Base URL for `client_spec.args.base_url`. */
  readonly url: string
  journal(): Journal
  /** From now on calls wait for `release`. */
  hold(): void
  /** Lets waiting calls and all later ones through. */
  release(): void
  /** How batches end from now on; `completed` unless told. */
  endBatches(how: BatchEnd): void
  /** Resolves once so many requests have come in. */
  received(count: number): Promise<void>
  close(): Promise<void>
}

interface State {
  rejected: number
  requests: number
  answered: number
  inFlight: number
  inFlightMax: number
  readonly attempts: Map<string, number>
  readonly answers: Map<string, number>
  readonly calls: FakeCall[]
  gate: Promise<void> | undefined
  open: () => void
  waiting: { readonly count: number; readonly resolve: () => void }[]
  batchAnswered: number
  readonly batches: FakeBatches
}

export const startFakeServer = async (options: FakeServerOptions = {}): Promise<FakeServer> => {
  const state: State = {
    requests: 0,
    rejected: 0,
    answered: 0,
    inFlight: 0,
    inFlightMax: 0,
    attempts: new Map(),
    answers: new Map(),
    calls: [],
    gate: undefined,
    open: () => {},
    waiting: [],
    batchAnswered: 0,
    batches: createFakeBatches(),
  }
  const server = createServer((request, response) => {
    serve(request, response, state, options).catch((error: unknown) =>
      send(response, { status: 500, body: { error: { message: String(error) } } }),
    )
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    journal: () => journalOf(state),
    hold: () => {
      state.gate ??= new Promise((resolve) => {
        state.open = resolve
      })
    },
    release: () => {
      state.gate = undefined
      state.open()
    },
    endBatches: (how) => state.batches.end(how),
    received: (count) =>
      state.requests >= count
        ? Promise.resolve()
        : new Promise((resolve) => state.waiting.push({ count, resolve })),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const journalOf = ({
  rejected,
  requests,
  answered,
  answers,
  inFlightMax,
  batchAnswered,
  calls,
}: State): Journal => ({
  rejected,
  requests,
  answered,
  duplicates: [...answers.values()].filter((count) => count > 1).length,
  inFlightMax,
  batchAnswered,
  calls: [...calls],
})

const serve = async (
  request: IncomingMessage,
  response: ServerResponse,
  state: State,
  options: FakeServerOptions,
): Promise<void> => {
  const sent = await text(request)
  if (request.method === 'GET' && request.url === '/journal')
    return send(response, { status: 200, body: journalOf(state) })
  const batched = state.batches.serve(
    { method: request.method ?? '', path: request.url ?? '', sent },
    (body) => answerLine(body, state, options),
  )
  if (batched !== undefined) return send(response, batched)
  if (request.method !== 'POST' || request.url?.endsWith('/chat/completions') !== true)
    return send(response, { status: 404, body: { error: { message: `no ${request.url}` } } })
  arrive(response, state)
  const id = createHash('sha256').update(sent).digest('hex')
  const call = callOf(JSON.parse(sent) as Record<string, unknown>, id, state)
  if (options.keepCalls !== false) state.calls.push(call)
  if (state.gate !== undefined) await state.gate
  const { latency } = options
  if (latency !== undefined && latency > 0) await new Promise((resolve) => setTimeout(resolve, latency))
  const answer = (options.answer ?? fakeAnswer)(call)
  if (typeof answer !== 'string' && answer.status === 429) state.rejected += 1
  if (typeof answer !== 'string') return answer.status === 0 ? undefined : send(response, answer)
  state.answered += 1
  state.answers.set(id, (state.answers.get(id) ?? 0) + 1)
  send(response, { status: 200, body: completion(call, answer, id) })
}

/** A request of a batch, answered as if it had come by itself. */
const answerLine = (
  body: Record<string, unknown>,
  state: State,
  options: FakeServerOptions,
): FakeAnswered => {
  const id = createHash('sha256').update(JSON.stringify(body)).digest('hex')
  const call = callOf(body, id, state)
  const answer = (options.answer ?? fakeAnswer)(call)
  if (typeof answer !== 'string') return { status: answer.status, body: answer.body ?? {} }
  state.batchAnswered += 1
  state.answers.set(id, (state.answers.get(id) ?? 0) + 1)
  return { status: 200, body: completion(call, answer, id) }
}

const arrive = (response: ServerResponse, state: State): void => {
  state.requests += 1
  state.inFlight += 1
  state.inFlightMax = Math.max(state.inFlightMax, state.inFlight)
  response.on('close', () => {
    state.inFlight -= 1
  })
  const due = state.waiting.filter(({ count }) => count <= state.requests)
  state.waiting = state.waiting.filter(({ count }) => count > state.requests)
  for (const { resolve } of due) resolve()
}

const callOf = (body: Record<string, unknown>, id: string, state: State): FakeCall => {
  const attempt = (state.attempts.get(id) ?? 0) + 1
  state.attempts.set(id, attempt)
  const messages = (body['messages'] ?? []) as readonly { readonly content: unknown }[]
  const prompt = messages.map(({ content }) => String(content)).join('\n\n')
  return { model: String(body['model']), prompt, body, attempt }
}

const completion = ({ model, prompt, body }: FakeCall, answer: string, id: string): object => {
  const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
  const count = typeof body['n'] === 'number' ? body['n'] : 1
  const usage = { prompt_tokens: words(prompt), completion_tokens: words(answer) * count }
  return {
    id: `chatcmpl-${id.slice(0, 24)}`,
    object: 'chat.completion',
    created: 0,
    model,
    system_fingerprint: 'fake-1',
    choices: Array.from({ length: count }, (_, index) => ({
      index,
      message: { role: 'assistant', content: answer },
      finish_reason: 'stop',
      logprobs: null,
    })),
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  }
}

const send = (response: ServerResponse, answer: Exclude<FakeAnswer, string>): void => {
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
  response.end(
    typeof answer.body === 'string'
      ? answer.body
      : JSON.stringify(answer.body ?? { error: { message: `status ${answer.status}` } }),
  )
}
