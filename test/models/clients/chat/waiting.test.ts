import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { RateHeaders } from '../../../../models/limits/learned-rate.ts'
import { createPlainFetch } from '../../../../models/clients/chat/plain-fetch.ts'
import { afterFile } from '../../../rig/after-file.ts'
import { never, requestOf } from '../request.ts'
import { chat, deploymentOf, opened, secret } from './opened-client.ts'

/** A server that answers all but who asks it to hang. */
const sometimesSilent = async (): Promise<{ readonly url: string; readonly asked: () => number }> => {
  let asked = 0
  const url = await serving((request, reply) => {
    const answer = async (): Promise<void> => {
      const body = await text(request)
      asked += 1
      if (body.includes('hang')) return
      reply.writeHead(200, { 'content-type': 'application/json' })
      reply.end(JSON.stringify(chat('yes').body))
    }
    void answer()
  })
  return { url, asked: () => asked }
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
