import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** The instance that meets the fault; all others are answered as they should be. */
export const FAULTY = 'note 2'

/** What a server can do instead of answering, or what it can answer. */
export type Fault = (response: ServerResponse) => void

const json =
  (status: number, body: unknown): Fault =>
  (response) => {
    // The wait that is asked for keeps many retries short.
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

const choice = (message: object, finishReason: string): Fault =>
  json(200, {
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }],
    usage: { prompt_tokens: 10, completion_tokens: 2 },
  })

const says = (content: string): Fault => choice({ content }, 'stop')
const status = (code: number): Fault => json(code, { error: { message: `status ${code}` } })

/** Ways in which a server gives no reply. */
export const NO_REPLY = {
  'http-400': status(400),
  'http-401': status(401),
  'http-403': status(403),
  'http-404': status(404),
  'http-429': status(429),
  'http-500': status(500),
  hang: () => {},
  'hang-up': (response) => response.destroy(),
  'broken-json': json(200, '{"choices": ['),
  'no-choices': json(200, { choices: [] }),
  'no-message': json(200, { choices: [{ index: 0, message: { content: { text: 'yes' } } }] }),
} satisfies Readonly<Record<string, Fault>>

/** Replies that are less than an answer. */
export const POOR_REPLY = {
  filtered: choice({ content: null }, 'content_filter'),
  refusal: choice({ content: null, refusal: 'I cannot help with that.' }, 'stop'),
  length: choice({ content: '{"accuracy": {"sco' }, 'length'),
  blank: says(' \n'),
  'no-content': choice({ content: null }, 'stop'),
} satisfies Readonly<Record<string, Fault>>

/** Judges' replies that HELM drops, or counts although they are no score of the rubric. */
export const POOR_JUDGEMENT = {
  unparseable: says('It is quite good.'),
  'no-criterion': says('{"clarity": {"score": 4, "explanation": "x"}}'),
  'no-key': says('{"accuracy": {"score": 4}}'),
  list: says('[4]'),
  'list-score': says('{"accuracy": {"score": [4], "explanation": "x"}}'),
  'null-score': says('{"accuracy": {"score": null, "explanation": "x"}}'),
  'word-score': says('{"accuracy": {"score": "good", "explanation": "x"}}'),
  'too-high': says('{"accuracy": {"score": 9, "explanation": "x"}}'),
  'too-low': says('{"accuracy": {"score": 0, "explanation": "x"}}'),
} satisfies Readonly<Record<string, Fault>>

const FAULTS: Readonly<Record<string, Fault>> = { ...NO_REPLY, ...POOR_REPLY, ...POOR_JUDGEMENT }

/** Model strings are `model_<fault>` and `judge_<fault>`; any other name has none. A judge gives 4 of 5. */
const answer = (sent: string): Fault => {
  const { model, messages } = JSON.parse(sent) as { model: string; messages: [{ content: string }] }
  const [kind, fault = ''] = model.replace(/^fake\/(?=judge)/, '').split('_')
  const found = messages[0].content.includes(FAULTY) ? FAULTS[fault] : undefined
  return found ?? says(kind === 'judge' ? '{"accuracy": {"score": 4, "explanation": "x"}}' : 'yes')
}

/** @returns base URL; the server lives as long as the test file */
export const faultServer = async (): Promise<string> => {
  const server = createServer((request, response) => {
    void text(request).then((sent) => answer(sent)(response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
