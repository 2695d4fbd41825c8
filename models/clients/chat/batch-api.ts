import type { Json } from '../../../cache/values/json.ts'
import type { Credentials } from '../../deployment/credentials.ts'
import type { ModelDeployment } from '../../deployment/model.ts'
import { clientName } from '../code/client-file.ts'
import { chatClass, callsOf, serverOf } from './server-of.ts'
import { clientErrorOf } from '../call-error.ts'
import { ClientError, type CompletionRequest, type Reply } from '../../calls/client.ts'
import { toldWords } from '../wire/error-body.ts'
import { malformed, toldText, parseBody, readReply, refuseToldError } from '../wire/wire-form.ts'
import { WIRE_FORMS } from '../wire/forms.ts'

/** One request of a batch; `id` comes back with its answer. */
interface BatchLine {
  readonly id: string
  readonly request: CompletionRequest
}

/** lost: the provider does not know it. */
type BatchStatus = 'waiting' | 'completed' | 'failed' | 'expired' | 'cancelled' | 'lost'

/** A batch as the provider tells it. */
export interface ProviderBatch {
  readonly id: string
  readonly status: BatchStatus
  /** What we named it by. */
  readonly marker: string | undefined
  /** Files of answers and of errors, where there are any. */
  readonly files: readonly string[]
  /** Why all of it failed. */
  readonly reason: string | undefined
  /** Requests of which its files tell, where it says how many. */
  readonly answered?: number
}

/** What became of one request: a reply, or why there is none. */
export interface BatchAnswer {
  readonly id: string
  readonly outcome: Reply | ClientError
}

/** A provider's batch interface in OpenAI's form: files up, a batch, files down. Every call may throw a ClientError. */
export interface BatchApi {
  /** Bytes of a line as it is uploaded. */
  line(line: BatchLine): string
  /** @param onUploaded is awaited once the requests are there, before they are a batch: when that was, by the server's clock */
  submit(
    lines: readonly string[],
    marker: string,
    onUploaded: (at: number | undefined) => Promise<void>,
  ): Promise<ProviderBatch>
  look(id: string): Promise<ProviderBatch>
  /**
   * One whose id was lost; undefined where the server has none, for sure: what is sent anew is paid for anew.
   * @param uploaded when its requests were there, milliseconds by the server's clock; undefined where it did not say
   */
  find(marker: string, uploaded: number | undefined): Promise<ProviderBatch | undefined>
  answers(file: string): Promise<readonly BatchAnswer[]>
  close(): Promise<void>
}

/**
 * Whether a deployment's provider is known, or declared by `batches: true`, to take batches, of requests for `n` answers
 * each.
 */
export const takesBatches = (deployment: ModelDeployment, n = 1): boolean => {
  const declared = deployment.client.args['batches']
  if (clientName(deployment.client.className) !== undefined) return false
  const { batches } = chatClass(deployment)
  if (n > 1 && !WIRE_FORMS[callsOf(deployment).settings.form].several) return false
  return typeof declared === 'boolean' ? declared : batches === true
}

const TIMEOUT = 600_000
/** Of what moves no file: a run that is whole looks, too, and waits for a silent server no longer. */
const LOOK = { timeout: 120_000 } as const
/** Bytes: answers of fifty thousand requests, as far as they fit into a text. */
const LONGEST_FILE = 500_000_000
const PAGE = 100
/** More than an account makes in months. */
const PAGES = 1000
/** Milliseconds by which clocks of one server may differ. */
const CLOCKS = 3_600_000

export const openBatchApi = async (
  deployment: ModelDeployment,
  credentials: Credentials,
): Promise<BatchApi> => {
  const { openServer } = await import('./open-server.ts')
  const { model, settings } = callsOf(deployment)
  const form = WIRE_FORMS[settings.form]
  const { api, http, OpenAIClient } = openServer({
    ...serverOf(deployment, credentials),
    timeout: TIMEOUT,
    connections: 2,
    longestReply: LONGEST_FILE,
    onRateHeaders: () => undefined,
  })
  const told = async <T>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      throw clientErrorOf(error, OpenAIClient)
    }
  }
  const endpoint = `/v1${form.path}`
  return {
    line: ({ id, request }) =>
      JSON.stringify({
        custom_id: id,
        method: 'POST',
        url: endpoint,
        body: form.body(request, model, settings),
      }),
    submit: async (lines, marker, onUploaded) => {
      const { body, type } = upload(lines, marker)
      const file = await told(() => api.post<Json>('/files', { body, headers: { 'content-type': type } }))
      const input = idOf(file, 'a file')
      await onUploaded(createdAt(file))
      const metadata = { medmake: marker }
      const asked = { input_file_id: input, endpoint, completion_window: '24h', metadata }
      return told(async () => batchOf(await api.post<Json>('/batches', { body: asked })))
    },
    look: (id) =>
      told(async () => batchOf(await api.get<Json>(`/batches/${encodeURIComponent(id)}`, LOOK), id)),
    find: (marker, uploaded) =>
      told(() => findBatch({ marker, uploaded }, (query) => api.get<Json>('/batches', { query, ...LOOK }))),
    answers: (file) =>
      told(async () => {
        const reply = await api.get(`/files/${encodeURIComponent(file)}/content`).asResponse()
        const text = await reply.text()
        return text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .flatMap((line) => answerOf(line, (body) => readReply(form, body)))
      }),
    close: () => http.close(),
  }
}

/** A form with one file, as RFC 7578 has it. JSON text holds no line that could be the boundary. */
const upload = (lines: readonly string[], marker: string): { body: string; type: string } => {
  const boundary = `medmake-${marker}`
  const head = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: [
      `${head('name="purpose"')}\r\nbatch\r\n`,
      `${head(`name="file"; filename="${marker}.jsonl"`)}Content-Type: application/jsonl\r\n\r\n`,
      `${lines.join('\n')}\n\r\n--${boundary}--\r\n`,
    ].join(''),
  }
}

const ENDED = ['completed', 'failed', 'expired', 'cancelled'] as const

/** @throws ClientError `reply/malformed` */
const idOf = (value: Json, what: string): string => {
  const { id } = (value ?? {}) as { readonly id?: unknown }
  if (typeof id !== 'string') throw malformed(`it tells of ${what} without an id`)
  return id
}

/** @param asked the batch that was asked for */
const batchOf = (value: Json, asked?: string): ProviderBatch => {
  const id = idOf(value, 'a batch')
  if (asked !== undefined && id !== asked) throw malformed('it tells of another batch')
  const batch = value as {
    readonly status?: unknown
    readonly metadata?: { readonly medmake?: unknown } | null
    readonly output_file_id?: unknown
    readonly error_file_id?: unknown
    readonly request_counts?: { readonly completed?: unknown; readonly failed?: unknown } | null
    readonly errors?: { readonly data?: readonly { readonly message?: unknown }[] } | null
  }
  const marker = batch.metadata?.medmake
  const reason = batch.errors?.data?.[0]?.message
  const answered = Number(batch.request_counts?.completed) + Number(batch.request_counts?.failed ?? 0)
  return {
    id,
    status: ENDED.find((status) => status === batch.status) ?? 'waiting',
    marker: typeof marker === 'string' ? marker : undefined,
    files: [batch.output_file_id, batch.error_file_id].filter((file) => typeof file === 'string'),
    reason: typeof reason === 'string' ? toldText(reason) : undefined,
    ...(Number.isSafeInteger(answered) ? { answered } : {}),
  }
}

const findBatch = async (
  { marker, uploaded }: { readonly marker: string; readonly uploaded: number | undefined },
  page: (query: { readonly limit: number; readonly after?: string }) => Promise<Json>,
): Promise<ProviderBatch | undefined> => {
  let after: string | undefined
  for (let count = 0; count < PAGES; count += 1) {
    const reply = (await page({ limit: PAGE, ...(after === undefined ? {} : { after }) })) as {
      readonly data?: readonly Json[]
      readonly has_more?: boolean
    } | null
    const data = reply?.data
    // What names no batches does not say that there are none.
    if (!Array.isArray(data)) throw malformed('it is no list of batches')
    const batches = data.map((each) => batchOf(each))
    const found = batches.find((batch) => batch.marker === marker)
    after = batches.at(-1)?.id
    if (found !== undefined || reply?.has_more !== true || after === undefined || isBefore(data, uploaded))
      return found
  }
  throw new ClientError('batch/too-many', `the server lists more than ${PAGES * PAGE} batches since then`, {
    retriable: false,
  })
}

/** Milliseconds by the server's clock; undefined where it does not say. */
const createdAt = (value: Json | undefined): number | undefined => {
  const seconds = (value as { readonly created_at?: unknown } | null | undefined)?.created_at
  return typeof seconds === 'number' && seconds > 0 ? 1000 * seconds : undefined
}

/** Whether a page, and all that follow, are of batches from before a moment: the newest come first. */
const isBefore = (page: readonly Json[], moment: number | undefined): boolean => {
  const [newest, oldest] = [createdAt(page[0]), createdAt(page.at(-1))]
  if (moment === undefined || newest === undefined || oldest === undefined) return false
  return newest > oldest && newest < moment - CLOCKS
}

/** A line of a file of answers or errors, as far as it is read. */
interface AnswerLine {
  readonly custom_id?: Json
  readonly response?: { readonly status_code?: Json; readonly body?: Json } | null
  readonly error?: LineError | null
}

interface LineError {
  readonly code?: Json
  readonly message?: Json
}

/** None for a line that can't be read: whatever it was of has no answer. */
const answerOf = (text: string, read: (body: Json) => Reply): readonly BatchAnswer[] => {
  const line = parsedLine(text)
  if (typeof line?.custom_id !== 'string') return []
  const { custom_id: id, response } = line
  const told = response?.status_code
  const status = typeof told === 'object' ? NaN : Number(told)
  if (status >= 200 && status < 300) {
    try {
      // As beside an answer to a request of its own; an empty one is none.
      if (toldWords(line.error) !== undefined) refuseToldError(line.error, true)
      return [{ id, outcome: read(response?.body ?? null) }]
    } catch (cause) {
      if (cause instanceof ClientError) return [{ id, outcome: cause }]
      throw cause
    }
  }
  const body = (response?.body ?? null) as { readonly error?: LineError } | null
  const error = line.error ?? body?.error
  const own = LINE_ERRORS.find((code) => code === error?.code) ?? 'no-answer'
  const code = Number.isSafeInteger(status) && status >= LEAST_STATUS ? `http/${status}` : `batch/${own}`
  const words = toldWords(error)
  const message = words === undefined ? 'the batch gave no answer' : toldText(words)
  return [{ id, outcome: new ClientError(code, message, { retriable: true }) }]
}

/** Of HTTP; `null` and an empty text are 0 as a number. */
const LEAST_STATUS = 100

/** A code is ours: what else a server says of a line may repeat what the line holds. */
const LINE_ERRORS = ['batch_expired', 'batch_cancelled'] as const

const parsedLine = (text: string): AnswerLine | undefined => {
  try {
    return (parseBody(text) as AnswerLine | null) ?? undefined
  } catch {
    return undefined
  }
}
