import { beforeAll, describe, expect, test } from 'vitest'
import type { FakeServer } from '../../bench/fake-server.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake, type CliResult } from '../../rig/medmake.ts'
import { createNxWorkspace, nx } from '../../rig/nx.ts'
import { TRUSTED, tlsFront } from '../../rig/tls-front.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles, type Files } from '../../rig/workspace.ts'

const benchmark = (name: string, access: string): Files =>
  shortBenchmark(
    { name, access, judges: ['far/judge'] },
    { prompt: 'Note: {note}', data: `note,correct_answer\n${name} smokes,yes\n` },
  )

const deployment = (name: string, url: string, more = ''): string =>
  `- {name: ${name}, client_spec: {class_name: medmake.chat, args: {base_url: "${url}", model: m}}${more}}\n`

let server: FakeServer
/** The same server as if on another machine. */
let far = ''

beforeAll(async () => {
  server = await fakeServer()
  far = await tlsFront(server)
})

const files = (more = ''): Files => ({
  'models/m.yaml': `model_deployments:\n${deployment('near/model', server.url)}${deployment('far/model', far, more)}${deployment('far/judge', far, more)}`,
  ...benchmark('wards', 'private'),
  ...benchmark('licensed', 'gated'),
  ...benchmark('open', 'public'),
  'targets/all.conf': `entries: [${['wards', 'licensed', 'open']
    .flatMap((name) => [
      `{description: "${name}:model=near/model"}`,
      `{description: "${name}:model=far/model"}`,
    ])
    .join(', ')}]\n`,
})

/** The end of a run and the requests that reached the server meanwhile. */
const runIn = async (
  cwd: string,
  ...args: readonly string[]
): Promise<CliResult & { readonly requests: number }> => {
  const before = server.journal().requests
  const result = await medmake(args, { cwd, env: TRUSTED })
  return { ...result, requests: server.journal().requests - before }
}

describe('without an agreement', () => {
  test('nothing is sent, and all that is refused is told with the line to add', async () => {
    const cwd = createWorkspace(files())
    const { code, stderr, requests } = await runIn(cwd, 'run')
    expect({ code, requests }, stderr).toEqual({ code: 5, requests: 0 })
    expect(stderr.match(/\[models\/data-agreement\]/g)).toHaveLength(4)
    for (const [name, access] of [
      ['wards', 'private'],
      ['licensed', 'gated'],
    ])
      for (const to of ['far/model', 'far/judge']) {
        expect(stderr).toMatch(
          new RegExp(`${name} is ${access}, and the data agreement of ${to} \\(0\\.0\\.0\\.0\\) is none`),
        )
        expect(stderr).toContain(`\`${to}: { level: ${access}, host: 0.0.0.0 }\``)
      }
    expect(stderr).not.toContain('open is')
  })

  test.each([
    [['run', '--dry-run']],
    [['run', '--allow-failures']],
    [['run', '--run-entries', 'wards:model=far/model', '--local-path', 'local']],
  ])('medmake %j is refused, too', async (args) => {
    const cwd = createWorkspace({
      ...files(),
      'local/model_deployments.yaml': `model_deployments:\n${deployment('far/model', far)}`,
    })
    expect(await runIn(cwd, ...args)).toMatchObject({ code: 5, requests: 0 })
  })

  test('a public benchmark goes anywhere', async () => {
    const cwd = createWorkspace(files())
    expect(await runIn(cwd, 'run', '--run-entries', 'open:model=far/model')).toMatchObject({
      code: 0,
      requests: 2,
    })
  })

  test('doctor says so, and names the hosts', async () => {
    const cwd = createWorkspace(files())
    const { code, stdout, requests } = await runIn(cwd, 'doctor', '--json')
    const { checks, hosts } = JSON.parse(stdout) as {
      checks: readonly { name: string; state: string; remedy?: string }[]
      hosts: readonly object[]
    }
    expect({ code, requests }).toEqual({ code: 2, requests: 0 })
    expect(checks.filter(({ name, state }) => name === 'data agreement' && state === 'problem')).toHaveLength(
      4,
    )
    expect(checks.filter(({ name }) => name === 'key').map(({ remedy }) => remedy)).toContainEqual(
      expect.stringContaining('set FAR_API_KEY, or'),
    )
    expect(hosts).toMatchObject([
      { host: '0.0.0.0', loopback: false, why: ['judge far/judge', 'model far/model'] },
      { host: new URL(server.url).host, loopback: true, why: ['model near/model'] },
    ])
  })

  test('Nx fails the pairs that are refused and builds the others', { timeout: 60_000 }, async () => {
    const cwd = createNxWorkspace(files())
    const before = server.journal().requests
    const { code, output } = await nx(['run-many', '-t', 'score', '--output-style=static'], {
      cwd,
      env: TRUSTED,
    })
    expect(code).not.toBe(0)
    expect(output).toContain('[models/data-agreement]')
    expect(output).toContain('open:model=far_model: 1 requests scored')
    // Of the public benchmark only: two models' answers and the judge's.
    expect(server.journal().requests - before).toBeLessThanOrEqual(4)
  })
})

describe('with an agreement', () => {
  test('of level gated, gated text is sent and private text is not', async () => {
    const cwd = createWorkspace(files(', data_agreement: gated'))
    expect(await runIn(cwd, 'run', '--run-entries', 'licensed:model=far/model')).toMatchObject({
      code: 0,
      requests: 2,
    })
    const { code, stderr, requests } = await runIn(cwd, 'run', '--run-entries', 'wards:model=far/model')
    expect({ code, requests }).toEqual({ code: 5, requests: 0 })
    expect(stderr).toContain('is gated: its text must not be sent there')
  })

  test('of level private in medmake.yaml, the line that was asked for, all is sent', async () => {
    const cwd = createWorkspace(files())
    writeFiles(cwd, {
      'medmake.yaml':
        'data_agreements:\n  far/model: { level: private, host: 0.0.0.0 }\n  far/judge: private\n',
    })
    expect(await runIn(cwd, 'run')).toMatchObject({ code: 0 })
    const again = await runIn(cwd, 'run')
    expect(again).toMatchObject({ code: 0, requests: 0 })
    expect(again.stdout).toContain('6 targets: 6 fresh')
  })

  test('with another host, nothing is sent', async () => {
    const cwd = createWorkspace(files())
    writeFiles(cwd, {
      'medmake.yaml': `data_agreements: { far/model: { level: private, host: other.example }, far/judge: private }\n`,
    })
    const { code, stderr, requests } = await runIn(cwd, 'run', '--run-entries', 'wards:model=far/model')
    expect({ code, requests }).toEqual({ code: 5, requests: 0 })
    expect(stderr).toContain('the agreement that is declared is with other.example')
  })
})

test('a server on this machine is reached past every proxy of the environment', async () => {
  const cwd = createWorkspace({
    ...files(),
    'medmake.yaml': 'data_agreements: { far/judge: private }\n',
  })
  const proxy = 'http://127.0.0.1:9'
  const before = server.journal().requests
  const { code, stderr } = await medmake(['run', '--run-entries', 'wards:model=near/model'], {
    cwd,
    env: {
      ...TRUSTED,
      HTTP_PROXY: proxy,
      http_proxy: proxy,
      HTTPS_PROXY: proxy,
      ALL_PROXY: proxy,
      NODE_USE_ENV_PROXY: '1',
      // The judge's.
      NO_PROXY: '0.0.0.0',
    },
  })
  expect(code, stderr).toBe(0)
  expect(server.journal().requests - before).toBe(2)
})

describe('a server on this machine', () => {
  const entry = ['run', '--run-entries', 'wards:model=near/model'] as const
  const own = (more = ''): Files => ({
    ...files(),
    'models/m.yaml': `model_deployments:\n${deployment('near/model', server.url, more)}${deployment('far/judge', server.url, more)}`,
  })

  test('is named with its port by doctor and by the first run that sends it private text, and not again', async () => {
    const cwd = createWorkspace({
      ...own(),
      'targets/all.conf': 'entries: [{description: "wards:model=near/model"}]\n',
    })
    const { host } = new URL(server.url)
    const told = `${host} (far/judge, near/model) gets texts of wards, for it is on this machine`
    const doctor = await runIn(cwd, 'doctor')
    expect(doctor.stdout).toContain(told)
    expect(doctor.stdout).toContain('data_agreement: none')
    const first = await runIn(cwd, 'run')
    expect(first).toMatchObject({ code: 0, requests: 2 })
    expect(first.stderr).toContain(told)
    expect((await runIn(cwd, 'run')).stderr).not.toContain(host)
  })

  test('is not named for public text, nor where an agreement says what it may get', async () => {
    const open = createWorkspace(own())
    expect((await runIn(open, 'run', '--run-entries', 'open:model=near/model')).stderr).toBe('')
    const agreed = createWorkspace(own(', data_agreement: private'))
    expect((await runIn(agreed, ...entry)).stderr).toBe('')
  })

  test('gets no private text where its agreement is none', async () => {
    const cwd = createWorkspace(own(', data_agreement: none'))
    expect(await runIn(cwd, ...entry)).toMatchObject({ code: 5, requests: 0 })
  })
})

test('no agreement covers plain http to another machine', async () => {
  const plain = server.url.replace('127.0.0.1', '0.0.0.0')
  const cwd = createWorkspace({
    ...files(),
    'models/m.yaml': `model_deployments:\n${['far/model', 'far/judge'].map((name) => deployment(name, plain, ', data_agreement: private')).join('')}`,
  })
  const { code, stderr, requests } = await runIn(cwd, 'run', '--run-entries', 'wards:model=far/model')
  expect({ code, requests }).toEqual({ code: 5, requests: 0 })
  expect(stderr).toContain('as no agreement covers plain http to another machine')
  expect(await runIn(cwd, 'run', '--run-entries', 'open:model=far/model')).toMatchObject({ code: 0 })
})
