import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createFront, type AddressInfo, type Server } from 'node:net'
import { expect, test } from 'vitest'
import { afterFile } from '../../rig/after-file.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { spawnMedmake } from '../../rig/medmake.ts'
import { tlsFront, TRUSTED } from '../../rig/tls-front.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const TOKEN = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`

interface Recorder {
  readonly address: string
  readonly asked: string[]
  /** All bytes that it was given. */
  readonly bytes: Buffer[]
}

/** A proxy that opens tunnels to whoever has the password, and records. */
const startProxy = async (): Promise<Recorder> => {
  const asked: string[] = []
  const bytes: Buffer[] = []
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"by":"proxy"}')
  })
  proxy.on('connect', ({ url = '', headers }, socket) => {
    asked.push(`CONNECT ${url}`)
    if (headers['proxy-authorization'] !== TOKEN) {
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="corp"\r\n\r\n',
      )
      return
    }
    const behind = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      behind.pipe(socket).pipe(behind)
    })
    for (const one of [behind, socket]) one.on('error', () => one.destroy())
  })
  const front = createFront((socket) => {
    socket.on('data', (chunk: Buffer) => bytes.push(chunk))
    const inner = connect(portOf(proxy), '127.0.0.1')
    socket.pipe(inner).pipe(socket)
    for (const one of [inner, socket]) one.on('error', () => one.destroy())
  })
  for (const each of [proxy, front]) {
    each.listen(0, '127.0.0.1')
    await once(each, 'listening')
    afterFile(() => each.close())
  }
  return { address: `127.0.0.1:${portOf(front)}`, asked, bytes }
}

const portOf = (listening: Server): number => (listening.address() as AddressInfo).port

const server = await fakeServer()
const far = await tlsFront(server)
const proxy = await startProxy()

const workspace = (client = ''): string =>
  createWorkspace({
    'models/m.yaml': `model_deployments:\n  - name: far/model\n    client_spec: ${client || `{ class_name: medmake.chat, args: { base_url: "${far}", model: m } }`}\n`,
    ...shortBenchmark(
      { name: 'words', access: 'public' },
      { prompt: 'Note: {note}', data: 'note,correct_answer\none,two\n' },
    ),
    'targets/all.conf': 'entries: [{description: "words:model=far/model"}]\n',
  })

const through = (credentials = 'ann:p%40ss@') => ({
  ...TRUSTED,
  HTTPS_PROXY: `http://${credentials}${proxy.address}`,
})

test('calls pass the proxy of the environment as a tunnel, and doctor names it', async () => {
  const cwd = workspace()
  const before = server.journal().requests
  const { code, stderr } = await spawnMedmake(['run'], { cwd, env: through() })
  expect(code, stderr).toBe(0)
  expect(server.journal().requests - before).toBe(1)
  expect(proxy.asked.at(-1)).toBe(`CONNECT ${new URL(far).host}`)
  const doctor = await spawnMedmake(['doctor'], { cwd, env: through() })
  expect(doctor.stdout).toContain(`${proxy.address} (this machine): proxy of HTTPS_PROXY before 0.0.0.0`)
})

test('a proxy that wants a password is told as that, and the URL’s own is not repeated', async () => {
  const { code, stdout, stderr } = await spawnMedmake(['models', 'check', 'far/model'], {
    cwd: workspace(),
    env: through('ann:wrong-secret@'),
  })
  expect(code).toBe(1)
  expect(stdout + stderr).toContain(`the proxy wants a name and a password (407)`)
  expect(stdout + stderr).toContain(`by way of the proxy ${proxy.address} of HTTPS_PROXY`)
  expect(stdout + stderr).not.toContain('wrong-secret')
  const before = proxy.asked.length
  const fetched = await spawnMedmake(['data', 'fetch', 'pubmed_qa'], {
    cwd: workspace(),
    env: through('ann:wrong@'),
  })
  expect(fetched.code).toBe(1)
  expect(fetched.stderr).toContain(`of HTTPS_PROXY (1 attempt)`)
  expect(proxy.asked.length - before).toBe(1)
})

test('a client of the workspace that uses fetch passes it, too, and NO_PROXY goes straight', async () => {
  const cwd = workspace(`{ class_name: workspace.clients.own, args: { base_url: "${far}" } }`)
  writeFiles(cwd, {
    'models/clients/own.ts': `import { defineClient } from 'medmake'
export const client = defineClient({ complete: async () => {
  const body = { model: 'm', messages: [{ role: 'user', content: 'x' }] }
  const reply = await fetch('${far}/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  return { choices: [{ text: String(reply.status) }] }
} })
`,
  })
  const before = proxy.asked.length
  const run = await spawnMedmake(['run'], { cwd, env: through() })
  expect(run.code, run.stderr).toBe(0)
  expect(proxy.asked.length).toBe(before + 1)
  const straight = { ...through(), NO_PROXY: '0.0.0.0' }
  writeFiles(cwd, { 'benchmarks/words/data.csv': 'note,correct_answer\nother,two\n' })
  expect(await spawnMedmake(['run'], { cwd, env: straight })).toMatchObject({ code: 0 })
  expect(proxy.asked.length).toBe(before + 1)
})

test('no text of a private benchmark reaches it, and plain http passes it by', async () => {
  const canary = 'Canary Birdsong has gout'
  const cwd = workspace()
  const plain = far.replace('https:', 'http:').replace(new URL(far).port, new URL(server.url).port)
  writeFiles(cwd, {
    'benchmarks/wards/benchmark.yaml':
      'name: wards\ndescription: Notes.\naccess: private\nprompt_file: p.txt\ndataset_file: d.csv\nmax_tokens: 5\nmetrics: [{ name: exact_match }]\n',
    'benchmarks/wards/p.txt': 'Note: {note}',
    'benchmarks/wards/d.csv': `note,correct_answer\n${canary},two\n`,
    'models/p.yaml': `model_deployments:\n${[far, plain].map((url, index) => `  - { name: own/m${index}, data_agreement: private, client_spec: { class_name: medmake.chat, args: { base_url: "${url}", model: m } } }\n`).join('')}`,
  })
  const env = { ...through(), HTTP_PROXY: `http://${proxy.address}` }
  const [asked, sent] = [proxy.asked.length, proxy.bytes.length]
  const run = (entry: string) => spawnMedmake(['run', '--run-entries', entry], { cwd, env })
  // To a server that others on the line could read, private text goes in no way.
  expect(await run('wards:model=own/m1')).toMatchObject({ code: 5 })
  expect(await run('words:model=own/m1')).toMatchObject({ code: 0 })
  expect(proxy.bytes.length).toBe(sent)
  const before = server.journal().requests
  expect(await run('wards:model=own/m0')).toMatchObject({ code: 0 })
  expect([server.journal().requests - before, proxy.asked.length - asked]).toEqual([1, 1])
  expect(Buffer.concat(proxy.bytes).includes('CONNECT')).toBe(true)
  expect(Buffer.concat(proxy.bytes).includes('Birdsong')).toBe(false)
})
