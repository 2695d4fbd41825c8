import { basename } from 'node:path'
import { defined } from '../../../cache/values/defined.ts'
import { z } from 'zod'
import type { Json } from '../../../cache/values/json.ts'
import { ProblemError, fieldOf, reasonOf, thrown } from '../../../cache/problems/problem.ts'
import { boundedCall } from '../../../cache/user-code/bounded-call.ts'
import { timedCall } from '../../../cache/user-code/timed-call.ts'
import { loadCode } from '../../../cache/user-code/load-code.ts'
import { serverPlace } from '../../agreement/data-agreement.ts'
import type { Credentials } from '../../deployment/credentials.ts'
import type { ModelDeployment } from '../../deployment/model.ts'
import { secretTexts } from '../../deployment/secret-fields.ts'
import { textArgument } from '../chat/server-of.ts'
import { aborted, ClientError, type Client, type CompletionRequest, type Reply } from '../../calls/client.ts'
import { WIRE_FORMS } from '../wire/forms.ts'
import { keyHider, tooLarge } from '../chat/plain-fetch.ts'
import { wellFormed, readReply } from '../wire/wire-form.ts'
import { codeModel, codeUrl } from './client-file.ts'
import { faultsOf } from '../../../cache/problems/zod-problems.ts'

type Complete = (request: unknown, context: unknown, signal: AbortSignal) => Promise<unknown>

/** What a client's file exports as `client`. */
const Module = z.object({
  client: z.strictObject({
    complete: z.custom<Complete>((value) => typeof value === 'function', 'it must be a function'),
  }),
})

/** What its `complete` gives. */
const CodeReply = z.object({
  choices: z
    .array(z.object({ text: z.string(), finishReason: z.string().nullish() }))
    .min(1, 'it must hold an answer'),
  // What it took is paid by it: less than nothing would be credit.
  usage: z
    .object({ inputTokens: z.number().nonnegative(), outputTokens: z.number().nonnegative() })
    .nullish(),
  model: z.string().nullish(),
})

/**
 * A client of the workspace's own code. Like any other it makes one attempt a call; what it throws is a failed call.
 * @param timeout milliseconds until an attempt is given up
 * @param longestReply characters of all its answers
 */
export const createCodeClient = async (
  deployment: ModelDeployment,
  credentials: Credentials,
  { timeout, longestReply }: { readonly timeout: number; readonly longestReply: number },
): Promise<Client> => {
  const { code } = deployment
  if (code === undefined) throw new TypeError(`${deployment.name} is no deployment of the workspace's code`)
  const { complete } = await loadClient(code.file)
  const baseUrl = codeUrl(deployment)
  const apiKey =
    textArgument(deployment.client.args, 'api_key') ?? credentials.lookup(deployment.name, 'ApiKey')
  const context = defined({ baseUrl, model: codeModel(deployment), args: deployment.client.args, apiKey })
  const hideAll = keyHider(apiKey ?? '', ...secretTexts(deployment.client.args))
  // However short the key is.
  const hide = (text: string): string => hideAll(apiKey ? text.replaceAll(apiKey, '[key]') : text)
  return {
    local: false,
    server: serverPlace(baseUrl),
    complete: async (request, signal) =>
      replyOf(
        // Copies: what code changes of them would be sent by the next attempt, and stand in files.
        await attempt((over) => complete(structuredClone(request), structuredClone(context), over), {
          file: code.file,
          timeout,
          signal,
          hide,
        }),
        request,
        longestReply,
      ),
  }
}

const loadClient = async (file: string): Promise<{ readonly complete: Complete }> => {
  try {
    const module = await loadCode(file, 'models')
    const parsed = boundedCall(file, () => Module.safeParse(module))
    if (parsed.success) return parsed.data.client
    throw codeProblem(file, faultsOf(parsed.error))
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw codeProblem(file, reasonOf(error), error)
  }
}

const codeProblem = (file: string, reason: string, cause?: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'models/client-code',
      message: `${basename(file)} can't be used: ${reason}`,
      where: { file },
      remedy: "Export `client`, as `defineClient` of 'medmake' describes it.",
    },
    { cause },
  )

interface Attempt {
  readonly file: string
  readonly timeout: number
  readonly signal: AbortSignal
  /** Takes secrets out of what it throws. */
  readonly hide: (text: string) => string
}

const attempt = async (
  call: (signal: AbortSignal) => Promise<unknown>,
  { file, timeout, signal: stop, hide }: Attempt,
): Promise<z.infer<typeof CodeReply>> => {
  try {
    return await timedCall(async (signal) => formed(await boundedCall(file, () => call(signal))), {
      stop,
      milliseconds: timeout,
      late: late(file, timeout),
    })
  } catch (caught) {
    const error = thrown(caught)
    if (error instanceof ClientError) throw error
    throw stop.aborted ? aborted() : failedCall(error, hide)
  }
}

const late = (file: string, timeout: number): ClientError =>
  new ClientError('call/timeout', `models/clients/${basename(file)} gave no answer in ${timeout / 1000} s`, {
    retriable: true,
  })

/** Its words may quote what it sent, its key and other secrets among it; a cause would hold them, too. */
const failedCall = (error: unknown, hide: Attempt['hide']): ClientError => {
  const status = fieldOf(error, 'status')
  return new ClientError('call/client-code', reasonOf(error, hide), {
    retriable: fieldOf(error, 'retriable') === true,
    ...(typeof status === 'number' ? { status } : {}),
  })
}

/** What the code gave may be anything, whose very fields throw. */
const formed = (given: unknown): z.infer<typeof CodeReply> => {
  try {
    return CodeReply.parse(given)
  } catch (caught) {
    const error = thrown(caught)
    const faults = error instanceof z.ZodError ? faultsOf(error) : 'it can not be read'
    throw new ClientError(
      'reply/client-form',
      `the client gave no reply of the form that it has to give: ${faults}`,
      { retriable: false },
    )
  }
}

/** Read as a chat server's reply is: bounded, made well-formed, its usage checked. @param longest characters */
const replyOf = (
  { choices, usage, model }: z.infer<typeof CodeReply>,
  { n }: CompletionRequest,
  longest: number,
): Reply => {
  if (choices.reduce((sum, { text }) => sum + text.length, 0) > longest) throw tooLarge(longest)
  const body: Json = {
    choices: choices.map(({ text, finishReason }, index) => ({
      index,
      message: { role: 'assistant', content: text },
      finish_reason: finishReason ?? null,
    })),
    ...(!usage ? {} : { usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } }),
    ...(model ? { model } : {}),
  }
  return readReply(WIRE_FORMS.chat, wellFormed(body), n)
}
