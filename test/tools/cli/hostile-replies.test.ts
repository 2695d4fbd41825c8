import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { recordingServer, type Sent } from '../../rig/recording-server.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const benchmark = (name: string): Files =>
  shortBenchmark(
    { name, access: 'public', judges: ['m/judge'], metrics: ['exact_match', 'jury_score'] },
    { prompt: `${name}: {note}`, data: 'note,correct_answer\nfirst,yes\nsecond,yes\n' },
  )

const files = (url: string): Files => ({
  'medmake.yaml': 'attempts: 1\nmax_reply_mb: 0.1\n',
  'models/m.yaml': `model_deployments:\n${['m/m', 'm/judge']
    .map(
      (name) =>
        `- {name: ${name}, client_spec: {class_name: medmake.chat, args: {base_url: "${url}/v1", model: ${name}}}}\n`,
    )
    .join('')}`,
  ...benchmark('hurt'),
  ...benchmark('sound'),
  'targets/all.conf': 'entries: [{description: "hurt:model=m/m"}, {description: "sound:model=m/m"}]\n',
})

/** A reply as JSON text, so that a test can write into it what no serializer would. */
const reply = (content: string, more = '"usage": {"prompt_tokens": 3, "completion_tokens": 1}'): string =>
  `{"model": "m-1", "choices": [{"message": {"content": ${content}}, "finish_reason": "stop"}], ${more}}`

const verdict = (score: string): string =>
  reply(JSON.stringify(`{"accuracy": {"score": ${score}, "explanation": "so"}}`))

interface Hostile {
  /** What the first request of the hurt benchmark gets. */
  readonly answer?: Sent
  readonly judgement?: Sent
}

const HOSTILE: Readonly<Record<string, Hostile & { readonly complete: boolean }>> = {
  'half a surrogate pair': { answer: { body: reply(String.raw`"a\ud83d"`) }, complete: true },
  'half a surrogate pair in a judge’s reply': {
    judgement: {
      body: reply(String.raw`"{\"accuracy\": {\"score\": 3, \"explanation\": \"\ud83d and \\ud83d\"}}"`),
    },
    complete: true,
  },
  'a usage beyond all numbers': {
    answer: { body: reply('"yes"', '"usage": {"prompt_tokens": 1e400, "completion_tokens": -1}') },
    complete: true,
  },
  'a log probability beyond all numbers': {
    answer: {
      body: `{"choices": [{"message": {"content": "yes"}, "logprobs": {"content": [{"token": "yes", "logprob": -1e400}]}}]}`,
    },
    complete: true,
  },
  'fields of other types': {
    answer: {
      body: `{"model": {"a": 1}, "system_fingerprint": 7, "choices": [{"message": {"content": "yes", "reasoning_content": [1], "refusal": {}}, "finish_reason": {"a": 1}}]}`,
    },
    complete: true,
  },
  'a judge’s −1e308': { judgement: { body: verdict('-1e308') }, complete: true },
  'a judge’s 1e400': { judgement: { body: verdict('1e400') }, complete: true },
  'a judge’s score of a thousand digits': { judgement: { body: verdict('9'.repeat(1000)) }, complete: true },
  'an answer whose router says that it failed': {
    answer: {
      body: '{"choices": [{"message": {"content": "ye"}, "error": {"code": 502, "message": "gone"}}]}',
    },
    complete: false,
  },
  'an answer beside an error': {
    answer: { body: '{"error": {"message": "gone"}, "choices": [{"message": {"content": "ye"}}]}' },
    complete: false,
  },
  'an answer that ended in an error': {
    answer: { body: reply('"ye"').replace('"stop"', '"error"') },
    complete: false,
  },
  'a text in place of a choice': { answer: { body: '{"choices": ["yes"]}' }, complete: false },
  'no message': { answer: { body: '{"choices": [{"message": null}]}' }, complete: false },
  'a reply that does not say that it is JSON': {
    answer: { body: reply('"yes"'), headers: { 'content-type': 'text/plain' } },
    complete: true,
  },
  'no choice': { answer: { body: '{"choices": [null]}' }, complete: false },
  'a body that is no object': { answer: { body: '[[[]]]' }, complete: false },
  'a reply that is too large': { answer: { body: reply(`"${'x'.repeat(200_000)}"`) }, complete: false },
  'an error that is too large': { answer: { status: 400, body: 'x'.repeat(200_000) }, complete: false },
}

describe.each(Object.entries(HOSTILE))('%s', (what, { answer, judgement, complete }) => {
  test('hurts its own request alone, and no later run', async () => {
    const server = await recordingServer(({ body }) => {
      const { model, messages } = body as { model: string; messages: { content: string }[] }
      const prompt = messages[0]?.content ?? ''
      const isHurt = prompt.includes('hurt: first')
      if (model === 'm/judge') return (isHurt ? judgement : undefined) ?? { body: verdict('4') }
      return (isHurt ? answer : undefined) ?? { body: reply('"yes"') }
    })
    const cwd = createWorkspace(files(server.url))
    const first = await medmake(['run'], { cwd })
    expect(first.stderr).not.toMatch(/ {4}at |TypeError/)
    expect(first.code, first.stderr).toBe(complete ? 0 : 1)
    expect(first.stdout).toContain(complete ? '2 targets: 0 fresh, 2 built' : '1 built, 1 incomplete')
    const stats = join(cwd, 'benchmark_output/runs/all/sound:model=m_m/stats.json')
    expect(JSON.parse(readFileSync(stats, 'utf8'))).not.toEqual([])
    // Whoever sent nothing that can be read is asked a question of nobody's beside.
    const askedOf = (): number =>
      server.received.filter(({ body }) => /hurt|sound/.test(JSON.stringify(body))).length
    const asked = askedOf()
    const second = await medmake(['run'], { cwd })
    expect(second.code, second.stderr).toBe(complete ? 0 : 1)
    expect(second.stdout).toContain(complete ? '2 fresh' : '1 fresh')
    expect(askedOf() - asked).toBe(complete ? 0 : 1)
    expect((await medmake(['report', '--allow-failures'], { cwd })).code).toBe(0)
    if (what === 'half a surrogate pair')
      expect(
        readFileSync(join(cwd, 'benchmark_output/runs/all/hurt:model=m_m/scenario_state.json'), 'utf8'),
      ).toContain(String.raw`"a\ufffd"`)
  })
})

test('what a server says of itself comes cut and without characters that steer a terminal', async () => {
  const words = `\u001b[2Jbad\u202e\r\n${'y'.repeat(2000)}`
  const server = await recordingServer(({ body }) => {
    const { model, messages } = body as { model: string; messages: { content: string }[] }
    if (model === 'm/judge') return { body: verdict('4') }
    if (messages[0]?.content.includes('second') === true)
      return { body: { model: words, choices: [{ message: { content: 'yes' } }] } }
    return { status: 400, body: { error: { message: words } } }
  })
  const cwd = createWorkspace(files(server.url))
  const { stdout, stderr } = await medmake(['run', '--run-entries', 'hurt:model=m/m'], { cwd })
  // oxlint-disable-next-line no-control-regex -- what must not be there
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  expect(stderr).toContain(String.raw`\u001b[2Jbad\u202e\r\nyyy`)
  expect(stderr).not.toContain('y'.repeat(501))
})

test('a client’s own settings in the environment print nothing of a request and add nothing to it', async () => {
  const server = await recordingServer(({ body }) => ({
    body: (body as { model: string }).model === 'm/judge' ? verdict('4') : reply('"yes"'),
  }))
  const cwd = createWorkspace(files(server.url))
  const { code, stdout, stderr } = await medmake(['run'], {
    cwd,
    env: {
      OPENAI_LOG: 'debug',
      OPENAI_PROJECT_ID: 'proj_7',
      OPENAI_ORG_ID: 'org_7',
      DEBUG: '*',
      NODE_DEBUG: 'undici,fetch,http,net,stream',
    },
  })
  expect(code).toBe(0)
  expect(stdout + stderr).not.toContain('hurt: first')
  expect(server.received.length).toBeGreaterThan(0)
  expect(JSON.stringify(server.received)).not.toMatch(/proj_7|org_7/)
})
