import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { afterFile } from '../../rig/after-file.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { spawnMedmake } from '../../rig/medmake.ts'
import { tlsFront, TRUSTED } from '../../rig/tls-front.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const TOKEN = `Basic ${Buffer.from('ann:p@ss').toString('base64')}`

/** A proxy that opens tunnels to whoever has the password, and counts. */
const startProxy = async (): Promise<{ readonly address: string; readonly asked: string[] }> => {
  const asked: string[] = []
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
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  afterFile(() => proxy.close())
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }
}

const server = await fakeServer()
const far = await tlsFront(server)
const proxy = await startProxy()

const workspace = (client = ''): string =>
  createWorkspace({
    'models/m.yaml': `model_deployments:\n  - name: far/model\n    client_spec: ${client || `{ class_name: medmake.chat, args: { base_url: "${far}", model: m } }`}\n`,
    'benchmarks/words/benchmark.yaml': `name: words
description: Words.
access: public
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 5
metrics: [{ name: exact_match }]
`,
    'benchmarks/words/prompt.txt': 'Note: {note}',
    'benchmarks/words/data.csv': 'note,correct_answer\none,two\n',
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
