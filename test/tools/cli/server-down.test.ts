import { describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const ROWS = 100
const workspace = (models: string): string =>
  createWorkspace({
    'benchmarks/one/benchmark.yaml':
      'name: one\naccess: public\ndescription: Letters.\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n',
    'benchmarks/one/prompt.txt': 'one: {question}',
    'benchmarks/one/data.csv': `question,correct_answer\n${Array.from({ length: ROWS }, (_, row) => `question ${row},A\n`).join('')}`,
    'models/fake.yaml': models,
    'targets/main.conf': 'entries: [{description: "one:model=bad/a"}, {description: "one:model=good/b"}]',
  })

interface Report {
  readonly targets: { readonly built: number; readonly incomplete: number }
  readonly stopped: readonly { readonly deployment: string; readonly code: string; readonly remedy: string }[]
  readonly failures: readonly { readonly code: string }[]
}

const EVERY = [
  { status: 401, body: {}, code: 'http/401', remedy: 'Check the key in BAD_API_KEY' },
  { status: 403, body: {}, code: 'http/403', remedy: 'what it may ask' },
  { status: 404, body: {}, code: 'http/404', remedy: 'knows no such path or model' },
  {
    status: 429,
    body: { error: { message: 'no money', code: 'insufficient_quota' } },
    code: 'http/429',
    remedy: 'Top up the account',
  },
]

describe('a server that answers no call', () => {
  it.each(EVERY)('but with $status $code is asked a handful of times, and others go on', async (given) => {
    const [bad, good] = [
      await fakeServer({ answer: () => ({ status: given.status, body: given.body }) }),
      await fakeServer(),
    ]
    const models = `${modelsYaml(bad, ['bad/a'], '{concurrency: 4}')}${modelsYaml(good, ['good/b']).replace('model_deployments:\n', '')}`
    const cwd = workspace(models)
    const { code, stdout, stderr } = await medmake(['run', '--json'], { cwd })
    expect(code, stderr).toBe(1)
    const report = JSON.parse(stdout) as Report
    expect(report.targets).toMatchObject({ built: 1, incomplete: 1 })
    expect(report.stopped).toMatchObject([{ deployment: 'bad/a', code: given.code }])
    expect(report.stopped[0]?.remedy).toContain(given.remedy)
    expect(report.failures.filter(({ code: each }) => each === given.code)).toHaveLength(ROWS)
    expect(stderr).toContain('bad/a answers no call')
    // Four in flight, and the check.
    expect(bad.journal().requests).toBeLessThanOrEqual(5)
    expect(good.journal().requests).toBe(ROWS)
  })

  it('as nothing listens is looked for once', async () => {
    const gone = await fakeServer()
    await gone.close()
    const good = await fakeServer()
    const models = `${modelsYaml(gone, ['bad/a'])}${modelsYaml(good, ['good/b']).replace('model_deployments:\n', '')}`
    const { code, stdout, stderr } = await medmake(['run'], { cwd: workspace(models) })
    expect(code).toBe(1)
    expect(stdout).toContain('1 built, 1 incomplete')
    expect(stderr).toMatch(
      /stopped: bad\/a answers no call: .*ECONNREFUSED.* \[call\/unreached\]\n {2}See that the server runs and its certificate is trusted, and check base_url in models\/fake.yaml/,
    )
  })

  it('for some prompts alone is asked all others', async () => {
    const server = await fakeServer({
      answer: ({ prompt }) =>
        /question \d*7$/m.test(prompt) ? { status: 403, body: { error: { message: 'flagged' } } } : 'A',
    })
    const cwd = workspace(modelsYaml(server, ['bad/a', 'good/b'], '{concurrency: 1}'))
    const { code, stdout } = await medmake(['run', '--json', '--models-to-run', 'bad/a'], { cwd })
    expect(code).toBe(1)
    const report = JSON.parse(stdout) as Report
    expect(report.stopped).toBeUndefined()
    expect(report.failures).toHaveLength(ROWS / 10)
  })
})
