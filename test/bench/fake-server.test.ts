import { describe, expect, it } from 'vitest'
import { fakeServer } from '../rig/fake-server.ts'

const ask = async (url: string, prompt: string, model = 'm'): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] }),
  })
  const body = (await response.json()) as { choices?: [{ message: { content: string } }] }
  return { status: response.status, text: body.choices?.[0].message.content ?? '' }
}

describe('fake server', () => {
  it('gives the same answer to the same question', async () => {
    const server = await fakeServer()
    const first = await ask(server.url, 'one two three')
    expect(await ask(server.url, 'one two three')).toEqual(first)
    expect(server.journal()).toMatchObject({ requests: 2, answered: 2, duplicates: 1 })
  })

  it('scores every criterion that a rubric asks for', async () => {
    const server = await fakeServer()
    const { text } = await ask(server.url, 'Answer with {"accuracy": {"score": 1}, "clarity": {"score": 1}}')
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['accuracy', 'clarity'])
  })

  it('picks one of the options', async () => {
    const server = await fakeServer()
    expect((await ask(server.url, 'Which?\nA. x\nB. y\nC. z')).text).toMatch(/^[ABC]$/)
  })

  it('holds calls until it is told to release them', async () => {
    const server = await fakeServer()
    server.hold()
    const answers = Promise.all([ask(server.url, 'a'), ask(server.url, 'b')])
    await server.received(2)
    expect(server.journal()).toMatchObject({ answered: 0, inFlightMax: 2 })
    server.release()
    expect((await answers).map(({ status }) => status)).toEqual([200, 200])
  })

  it('answers as the test decides', async () => {
    const server = await fakeServer({
      answer: ({ attempt }) => (attempt === 1 ? { status: 429, headers: { 'retry-after': '0' } } : 'yes'),
    })
    expect((await ask(server.url, 'a')).status).toBe(429)
    expect((await ask(server.url, 'a')).text).toBe('yes')
    expect(server.journal()).toMatchObject({ requests: 2, answered: 1, duplicates: 0 })
  })
})
