import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import type { RateHeaders } from '../../../../models/limits/learned-rate.ts'
import { mayBeBilled, type ClientError } from '../../../../models/calls/client.ts'
import { openServer } from '../../../../models/clients/chat/open-server.ts'
import { createPlainFetch } from '../../../../models/clients/chat/plain-fetch.ts'
import { createServerClient } from '../../../../models/clients/chat/server.ts'
import { afterFile } from '../../../rig/after-file.ts'
import { recordingServer } from '../../../rig/recording-server.ts'
import { deploymentOf, never, requestOf } from '../../../rig/model-calls.ts'
import { chat, opened, response, secret } from './opened-client.ts'

const PLAIN = { timeout: 5000, connections: 4, longestReply: 1000, apiKey: secret }
const OTHERWISE = { headers: {}, query: {}, onRateHeaders: () => undefined }

const hasFailed = (body: unknown): boolean => JSON.stringify(body).includes('fail')

/** A server that answers all but who asks it to hang, whom it answers once it is told to. */
const sometimesSilent = async (): Promise<{
  readonly url: string
  readonly asked: () => number
  readonly answer: () => void
}> => {
  let asked = 0
  let answerLate = (): void => undefined
  const url = await serving((request, reply) => {
    const answer = async (): Promise<void> => {
      const body = await text(request)
      asked += 1
      if (body.includes('hang')) await new Promise<void>((resolve) => (answerLate = resolve))
      reply.writeHead(200, { 'content-type': 'application/json' })
      reply.end(JSON.stringify(chat('yes').body))
    }
    void answer()
  })
  return { url, asked: () => asked, answer: () => answerLate() }
}

const serving = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('calls', () => {
  it('may be given up one by one, the first and the later ones', async () => {
    const { url, asked } = await sometimesSilent()
    const client = await opened(deploymentOf('medmake.chat', { base_url: url, model: 'x' }))
    await client.complete(requestOf('first'), never)
    const own = new AbortController()
    const given = client.complete(requestOf('hang'), own.signal).catch((error: unknown) => error)
    await expect.poll(asked).toBe(2)
    own.abort()
    expect(await given).toMatchObject({ code: 'call/aborted' })
  })

  it('that are not answered long after others were are given up', async () => {
    const { url, asked } = await sometimesSilent()
    const client = await opened(deploymentOf('medmake.chat', { base_url: url, model: 'x' }), {}, undefined, 1)
    for (let call = 0; call < 30; call += 1) await client.complete(requestOf('first'), never)
    expect(await client.complete(requestOf('hang'), never).catch((error: unknown) => error)).toMatchObject({
      code: 'call/timeout',
      message: expect.stringContaining('long after others') as string,
      retriable: true,
    })
    expect(asked()).toBe(31)
  })

  it('are not given up before the shortest time that is set, however fast others were', async () => {
    const { url, asked, answer } = await sometimesSilent()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const client = await opened(deploymentOf('medmake.chat', { base_url: url, model: 'x' }))
    for (let call = 0; call < 30; call += 1) await client.complete(requestOf('first'), never)
    const late = client.complete(requestOf('hang'), never)
    await vi.waitFor(() => expect(asked()).toBe(31))
    const later = performance.now() + 4000
    vi.spyOn(performance, 'now').mockReturnValue(later)
    vi.advanceTimersByTime(1000)
    vi.restoreAllMocks()
    vi.useRealTimers()
    answer()
    expect(await late).toMatchObject({ choices: [{ text: 'yes' }] })
  })

  it('that are given up while they wait for a connection are never sent', async () => {
    const { url, asked, answer } = await sometimesSilent()
    const plain = createPlainFetch({ ...PLAIN, connections: 1 })
    const post = (body: string, signal = never) => plain.fetch(url, { method: 'POST', body, signal })
    const first = post('hang')
    await expect.poll(asked).toBe(1)
    const stop = new AbortController()
    const second = post('second', stop.signal)
    stop.abort(new Error('over'))
    await expect(second).rejects.toThrow('over')
    answer()
    await (await first).text()
    await (await post('third')).text()
    expect(asked()).toBe(2)
    await plain.close()
  })

  it('that were given up before do not wait for the server', async () => {
    const plain = createPlainFetch(PLAIN)
    const reason = new Error('over')
    await expect(plain.fetch('http://127.0.0.1:1', { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )
    await plain.close()
  })

  it('are waited for no longer once they are answered or have failed', async () => {
    const { url } = await recordingServer(({ body }) => ({
      ...chat('yes'),
      status: hasFailed(body) ? 500 : 200,
    }))
    const waiting = new Set<object>()
    const client = await createServerClient({
      ...PLAIN,
      ...OTHERWISE,
      baseUrl: url,
      model: 'x',
      settings: { form: 'chat', reasoning: false },
      patience: {
        limit: () => 1000,
        begin: (request) => {
          waiting.add(request)
          return { answered: () => undefined, end: () => void waiting.delete(request) }
        },
      },
    })
    await client.complete(requestOf('first'), never)
    await expect(client.complete(requestOf('fail'), never)).rejects.toThrow('500')
    expect(waiting.size).toBe(0)
  })

  it('of a response each are waited for as one answer, and asked for again alone where others came', async () => {
    let calls = 0
    const { url, received } = await recordingServer(() => {
      calls += 1
      return calls === 2 ? { status: 500, body: {} } : response('no')
    })
    const waited: number[] = []
    const client = await createServerClient({
      ...PLAIN,
      ...OTHERWISE,
      baseUrl: url,
      model: 'x',
      settings: { form: 'responses', reasoning: false },
      patience: {
        limit: () => 1000,
        begin: ({ n }) => {
          waited.push(n)
          return { answered: () => undefined, end: () => undefined }
        },
      },
    })
    const request = requestOf('first', { n: 3 })
    const failure: unknown = await client.complete(request, never).catch((error: unknown) => error)
    expect(failure).toMatchObject({ status: 500, retriable: true })
    expect(mayBeBilled(failure as ClientError)).toBe(true)
    const reply = await client.complete(request, never)
    expect([received.length, reply.choices.length, reply.usage?.inputTokens]).toEqual([4, 3, 21])
    // Each is as long as one answer, not as three.
    expect(waited).toEqual([1, 1, 1, 1])
    expect((await client.complete(request, never)).choices).toHaveLength(3)
    expect(received).toHaveLength(7)
  })

  it('go each to its own path, and nothing of them is printed, whatever the environment asks for', async () => {
    vi.stubEnv('OPENAI_LOG', 'debug')
    const { url, received } = await recordingServer(() => chat('yes'))
    const { api, http } = openServer({
      ...PLAIN,
      ...OTHERWISE,
      baseUrl: url,
    })
    for (const path of ['/one', '/other', '/one']) await api.post(path, { body: { text: 'of a patient' } })
    await http.close()
    expect(received.map(({ path }) => path)).toEqual(['/one', '/other', '/one'])
    // The package prints requests and replies from some level on.
    expect(api.logLevel).toBe('off')
    vi.unstubAllEnvs()
  })

  it('are answered by the status that ends the reply, whose headers are joined, and by no other', async () => {
    const told: RateHeaders[] = []
    const url = await serving((_, reply) => {
      reply.writeEarlyHints({ link: '</a>; rel=preload' })
      reply.writeHead(300, { 'content-type': 'application/json', 'x-own': ['a', 'b'] })
      reply.end('{"error": {"message": "choose"}}')
    })
    const client = await opened(deploymentOf('medmake.chat', { base_url: url, model: 'x' }), {}, (each) =>
      told.push(each),
    )
    expect(
      await client.complete(requestOf('Is it safe?'), never).catch((error: unknown) => error),
    ).toMatchObject({
      code: 'http/300',
    })
    // Once, of the reply itself.
    expect(told).toEqual([{}])
    const fetched = async (longestReply: number) => {
      const plain = createPlainFetch({ timeout: 1000, connections: 1, longestReply, apiKey: secret })
      try {
        return await plain.fetch(url)
      } finally {
        await plain.close()
      }
    }
    const { ok, headers } = await fetched(32)
    expect([ok, headers.get('x-own')]).toEqual([false, 'a, b'])
    await expect(fetched(31)).rejects.toMatchObject({ code: 'reply/too-large' })
  })
})
