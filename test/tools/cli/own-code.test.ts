import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { medmake, spawnMedmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles, type Files } from '../../rig/workspace.ts'

const METRIC = `import { defineMetric } from 'medmake'
import { share } from './words.ts'

export const metric = defineMetric({
  measures: [
    { name: 'kept_words', displayName: 'Kept words', description: 'Share of the reference kept.' },
    { name: 'answer_length', unit: 'count', most: null, better: 'neither' },
  ],
  evaluate: ({ completion, references, args }) => ({
    kept_words: share(references[0]?.text ?? '', completion, Number(args['least'] ?? 0)),
    answer_length: completion.length,
  }),
})
`

const WORDS = `export const share = (wanted: string, given: string, least: number): number => {
  const words = wanted.split(' ').filter((word) => word.length >= least)
  return words.filter((word) => given.includes(word)).length / Math.max(1, words.length)
}
`

const CLIENT = `import { CallError, defineClient } from 'medmake'

export const client = defineClient({
  complete: async ({ messages, n }, { baseUrl, model, apiKey }, signal) => {
    const response = await fetch(new URL('generate', baseUrl), {
      method: 'POST',
      headers: { 'x-key': apiKey ?? '' },
      body: JSON.stringify({ model, prompt: messages.at(-1)?.content }),
      signal,
    })
    if (!response.ok) throw new CallError('the server said ' + response.status, { retriable: response.status >= 500, status: response.status })
    const { output, tokens } = (await response.json()) as { output: string; tokens: number }
    return { choices: Array.from({ length: n }, () => ({ text: output, finishReason: 'stop' })), usage: { inputTokens: tokens, outputTokens: 2 } }
  },
})
`

/** A server of a protocol that is nobody's. */
const seen: { readonly key: string | undefined; readonly body: string }[] = []
let fault = 0
const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await text(request)
  seen.push({ key: request.headers['x-key'] as string | undefined, body })
  const { prompt } = JSON.parse(body) as { prompt: string }
  if (fault > 0) {
    fault -= 1
    response.writeHead(503).end('busy')
  } else response.end(JSON.stringify({ output: prompt.replace('Repeat: ', 'I say '), tokens: 7 }))
}
const server = createServer((request, response) => void answer(request, response))
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => server.close())

const files = (): Files => ({
  'medmake.yaml': 'shortest_timeout: 1\n',
  'targets/metrics/kept_words.ts': METRIC,
  'targets/metrics/words.ts': WORDS,
  'models/clients/plain.ts': CLIENT,
  'models/own.yaml': `model_deployments:
  - name: own/plain
    client_spec: { class_name: workspace.clients.plain, args: { base_url: "http://127.0.0.1:${(server.address() as AddressInfo).port}/", model: small } }
`,
  'prod_env/credentials.conf': 'ownApiKey: "a-key"\n',
  'benchmarks/echo/benchmark.yaml': `name: echo
description: Says a line again.
access: public
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 20
metrics:
  - { name: kept_words, args: { least: 3 } }
  - { name: exact_match }
`,
  'benchmarks/echo/prompt.txt': 'Repeat: {line}',
  'benchmarks/echo/data.csv':
    'line,correct_answer\nno chest pain,no chest pain\nno fever today,fever never\n',
  'targets/main.conf': 'entries: [{description: "echo:model=own/plain"}]',
})

/** In a process of its own: where code prints, ends it, leaves something behind or is edited. */
const apart = async (cwd: string, ...args: readonly string[]) => spawnMedmake(args, { cwd })
/** In this process, which takes the code of a workspace once. */
const run = async (cwd: string, ...args: readonly string[]) => medmake(args, { cwd, isFresh: true })

describe("a workspace's own metric and client, in TypeScript", () => {
  it('run like ours: scored, ranked on their declared scale, kept, listed', async () => {
    const cwd = createWorkspace(files())
    seen.length = 0
    const first = await run(cwd, 'run')
    expect(first.code, first.stderr).toBe(0)
    expect(seen.map(({ key }) => key)).toEqual(['a-key', 'a-key'])
    const folder = join(cwd, 'benchmark_output/runs/main/echo:model=own_plain')
    const stats = JSON.parse(readFileSync(join(folder, 'stats.json'), 'utf8')) as {
      readonly name: { readonly name: string; readonly perturbation?: object }
      readonly mean: number
    }[]
    const mean = (name: string): number | undefined =>
      stats.find((stat) => stat.name.name === name && stat.name.perturbation === undefined)?.mean
    expect(mean('kept_words')).toBe(0.75)
    expect(mean('answer_length')).toBe(20.5)

    const board = await run(cwd, 'report', '--json')
    expect(board.code, board.stderr).toBe(0)
    expect(board.stdout).toContain('Kept words')
    expect((await run(cwd, 'metrics', 'kept')).stdout).toContain('targets/metrics/kept_words')
    const tables = await run(cwd, 'summarize', '--suite', 'main', '--auto-generate-schema')
    expect(tables.code, tables.stderr).toBe(0)
    expect(readFileSync(join(cwd, 'benchmark_output/runs/main/schema.json'), 'utf8')).toContain(
      'Share of the reference kept.',
    )
    await run(cwd, 'run')
    expect(seen).toHaveLength(2)
  })

  it('are part of the keys of what they decide, with what they import', async () => {
    const cwd = createWorkspace(files())
    expect(await run(cwd, 'run')).toMatchObject({ code: 0 })
    seen.length = 0
    const work = async (): Promise<object> => {
      const { stdout, stderr } = await apart(cwd, 'run', '--json')
      if (stdout === '') throw new Error(stderr)
      const { stages } = JSON.parse(stdout) as {
        stages: Readonly<Record<string, { readonly executed: number }>>
      }
      return { completions: stages['completions']?.executed, metrics: stages['metrics']?.executed }
    }
    writeFiles(cwd, { 'targets/metrics/words.ts': WORDS.replace('given.includes', 'given.startsWith') })
    expect(await work()).toEqual({ completions: 0, metrics: 2 })
    expect(seen).toHaveLength(0)
    writeFiles(cwd, { 'models/clients/plain.ts': `// asks\n${CLIENT}` })
    expect(await work()).toMatchObject({ completions: 2 })
    expect(seen).toHaveLength(2)
  })

  it('tries a call again where the client says that it may succeed', async () => {
    const cwd = createWorkspace(files())
    fault = 1
    seen.length = 0
    expect(await run(cwd, 'run')).toMatchObject({ code: 0 })
    expect(seen).toHaveLength(3)
  })

  it('tells no key, whatever a client throws', async () => {
    const cwd = createWorkspace({
      ...files(),
      'models/clients/plain.ts':
        "export const client = { complete: async (_, { apiKey }) => { throw new Error('not with ' + apiKey) } }\n",
    })
    const { code, stdout } = await run(cwd, 'run', '--json')
    expect(code).toBe(1)
    expect(stdout).toContain('not with [key]')
    expect(stdout).not.toContain('a-key')
  })

  const METRICS: readonly (readonly [what: string, code: string, told: string, exit: number])[] = [
    ['throws null', 'evaluate: () => { throw null }', 'it ended with: null', 0],
    ['is async', "evaluate: async () => { throw new Error('late') }", 'it gave a promise', 0],
    [
      'gives a getter that throws',
      "evaluate: () => ({ get kept_words() { throw new Error('got') } })",
      'it ended with: got',
      0,
    ],
    ['gives a text', "evaluate: () => ({ kept_words: 'high' })", 'kept_words is no number', 0],
    ['gives NaN', 'evaluate: () => ({ kept_words: NaN })', 'kept_words is no number', 0],
    ['gives too much', 'evaluate: () => ({ kept_words: 1, other: 2 })', 'it gave "other"', 0],
    ['ends the process', 'evaluate: () => process.exit(0)', 'it called process.exit', 0],
    [
      'leaves a rejection behind',
      "evaluate: () => { void Promise.reject(new Error('left')); return { kept_words: 1 } }",
      'left an error behind: left [code/stray-error]',
      1,
    ],
    [
      'throws once nobody waits',
      "evaluate: () => { setTimeout(() => { throw new Error('timer') }, 0); return { kept_words: 1 } }",
      'left an error behind: timer [code/stray-error]',
      1,
    ],
  ]
  it.each(METRICS)(
    'tell it, with no stack of ours, where a metric %s',
    async (what, evaluate, told, exit) => {
      const cwd = createWorkspace({
        ...files(),
        'targets/metrics/kept_words.ts': `export const metric = { measures: [{ name: 'kept_words' }], ${evaluate} }\n`,
      })
      const { code, stdout, stderr } = await (/ends|behind|waits/.test(what) ? apart : run)(cwd, 'run')
      expect([code, stderr]).toEqual([exit, expect.stringContaining(told)])
      expect(stdout).toContain('1 target: 0 fresh, 1 built')
      expect(stderr).not.toMatch(/\n\s+at /)
    },
  )

  it('may print, and spoil no results by it', async () => {
    const cwd = createWorkspace({
      ...files(),
      'targets/metrics/kept_words.ts':
        "export const metric = { measures: [{ name: 'kept_words' }], evaluate: () => { console.log('noise'); process.stdout.write('noise'); return { kept_words: 1 } } }\n",
    })
    const { code, stdout, stderr } = await apart(cwd, 'run', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { failures: [] }])
    expect(stderr).toContain('noise')
  })

  it.each([
    ['exports it by default', 'export default {}', 'it exports default, and no metric'],
    ['ends the process', 'process.exit(0)', 'it called process.exit'],
    ['breaks all', 'Array.prototype.map = () => []', 'it replaced Array.prototype.map, on which'],
    [
      'lists a measure twice',
      "const m = { name: 'kept_words' }\nexport const metric = { measures: [m, m], evaluate: () => ({}) }",
      'list every measure once',
    ],
    [
      'takes a name of ours',
      "export const metric = { measures: [{ name: 'kept_words' }, { name: 'exact_match' }], evaluate: () => ({}) }",
      'two metrics of echo give "exact_match"',
    ],
  ])('are refused by file where one %s', async (what, code, told) => {
    const cwd = createWorkspace({ ...files(), 'targets/metrics/kept_words.ts': `${code}\n` })
    const found = await (/breaks|ends/.test(what) ? apart : run)(cwd, 'run')
    expect(found).toMatchObject({ code: 2, stdout: '' })
    expect(found.stderr.split(told)).toHaveLength(2)
  })

  it('tell what is wrong by file and value, and spoil no other benchmark', async () => {
    const cwd = createWorkspace({
      ...files(),
      'benchmarks/plain/benchmark.yaml':
        'name: plain\ndescription: Without code.\naccess: public\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n',
      'benchmarks/plain/prompt.txt': 'Repeat: {line}',
      'benchmarks/plain/data.csv': 'line,correct_answer\none,one\n',
      'targets/main.conf':
        'entries: [{description: "echo:model=own/plain"}, {description: "plain:model=own/plain"}]',
      'targets/metrics/kept_words.ts': METRIC.replace('share(references', '2 + share(references'),
    })
    const { failures } = await summaryOf(cwd)
    expect(failures.map(({ instance, code }) => [instance, code])).toEqual([
      ['id0', 'metrics/code-form'],
      ['id1', 'metrics/code-form'],
    ])
    expect(failures[0]?.detail).toContain('kept_words is 3, which is outside of 0 to 1')
    expect(
      readFileSync(join(cwd, 'benchmark_output/runs/main/plain:model=own_plain/stats.json'), 'utf8'),
    ).toContain('exact_match')
    writeFiles(cwd, { 'targets/metrics/kept_words.ts': 'export const metric = { measures: [] }\n' })
    const faulty = await apart(cwd, 'run')
    expect(faulty.code).toBe(1)
    expect(faulty.stdout).toContain('1 target: 1 fresh')
    expect((await apart(cwd, 'run', '--exit-on-error')).code).toBe(2)
    expect(faulty.stderr).toContain('targets/metrics/kept_words.ts')
    expect(faulty.stderr).toContain('defineMetric')
  })
})

const ANNOTATOR = `import { defineAnnotator } from 'medmake'
import { NEGATIONS } from './negations.ts'

export const annotator = defineAnnotator({
  fields: [
    { name: 'negated', type: 'boolean' },
    { name: 'words', type: 'texts' },
    { name: 'sure', type: 'number', least: 0, most: 1, nullable: true },
  ],
  timeout: 5,
  annotate: async ({ completion, args }) => {
    const words = completion.split(' ').filter((word) => [...NEGATIONS, args['also']].includes(word))
    return { negated: words.length > 0, words, sure: null }
  },
})
`

const READS_ANNOTATION = `import { defineMetric } from 'medmake'

export const metric = defineMetric({
  measures: [{ name: 'keeps_negation', unit: '0 or 1' }],
  evaluate: ({ annotations }) => ({ keeps_negation: annotations['negation'].negated }),
})
`

const annotatedFiles = (annotator = ANNOTATOR): Files => ({
  ...files(),
  'targets/annotators/negation.ts': annotator,
  'targets/annotators/negations.ts': "export const NEGATIONS = ['no', 'never']\n",
  'targets/metrics/keeps_negation.ts': READS_ANNOTATION,
  'benchmarks/echo/benchmark.yaml': `name: echo
description: Says a line again.
access: public
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 20
annotators: [{ name: negation, args: { also: fever } }]
metrics:
  - { name: keeps_negation }
`,
  'benchmarks/echo/data.csv': 'line,correct_answer\nno chest pain,no chest pain\nslept well,slept well\n',
  'benchmarks/plain/benchmark.yaml':
    'name: plain\ndescription: Without code.\naccess: public\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n',
  'benchmarks/plain/prompt.txt': 'Repeat: {line}',
  'benchmarks/plain/data.csv': 'line,correct_answer\none,I say one\n',
  'targets/main.conf':
    'entries: [{description: "echo:model=own/plain"}, {description: "plain:model=own/plain"}]',
})

interface Summary {
  readonly stages: Readonly<Record<string, { readonly executed: number }>>
  readonly failures: readonly { readonly instance: string; readonly code: string; readonly detail: string }[]
}

const summaryOf = async (cwd: string, start = run): Promise<Summary> => {
  const { stdout, stderr } = await start(cwd, 'run', '--json')
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Summary
}

const executed = async (cwd: string, start = run): Promise<object> => {
  const { stages } = await summaryOf(cwd, start)
  return {
    completions: stages['completions']?.executed,
    annotations: stages['annotations']?.executed,
    metrics: stages['metrics']?.executed,
  }
}

const runFile = (cwd: string, name: string): string =>
  readFileSync(join(cwd, 'benchmark_output/runs/main/echo:model=own_plain', name), 'utf8')

describe("a workspace's own annotator, in TypeScript", () => {
  it('says something of each answer, for metrics, files and pages; kept under the digest of its code', async () => {
    const cwd = createWorkspace(annotatedFiles())
    expect(await executed(cwd)).toMatchObject({ completions: 3, annotations: 2 })
    const states = JSON.parse(runFile(cwd, 'scenario_state.json')) as {
      readonly request_states: readonly { readonly annotations: object }[]
    }
    expect(states.request_states.map(({ annotations }) => annotations)).toEqual([
      { negation: { negated: true, words: ['no'], sure: null } },
      { negation: { negated: false, words: [], sure: null } },
    ])
    expect(runFile(cwd, 'run_spec.json')).toContain('workspace.annotators.negation')
    expect((await run(cwd, 'report')).stdout).toMatch(/0[.]500?/)
    expect(await run(cwd, 'release', 'create', 'r')).toMatchObject({ code: 0 })
    expect((await run(cwd, 'release', 'reproduce', 'r')).stdout).toMatch(/^2 runs scored anew, [^\n]*$/)
    expect(await executed(cwd)).toEqual({ completions: 0, annotations: 0, metrics: 0 })
    writeFiles(cwd, { 'targets/annotators/negations.ts': "export const NEGATIONS = ['well']\n" })
    expect((await apart(cwd, 'explain', 'echo')).stdout).toMatch(/annotations.*code/)
    expect((await apart(cwd, 'release', 'reproduce', 'r')).stdout).toContain('nor here as it was')
    expect(await executed(cwd, apart)).toMatchObject({ completions: 0, annotations: 2 })
    expect(runFile(cwd, 'stats.json')).toContain('keeps_negation')
  })

  it('leaves the answers alone on which it ends with an error, and no other benchmark', async () => {
    const faulty = ANNOTATOR.replace(
      'const words',
      'if (completion.includes("slept")) throw new Error("no words"); const words',
    )
    const cwd = createWorkspace(annotatedFiles(faulty))
    const { failures } = await summaryOf(cwd)
    expect(failures.map(({ instance, code, detail }) => [instance, code, detail])).toEqual([
      ['id1', 'annotators/code', 'targets/annotators/negation: it ended with: no words'],
      ['id1', 'metrics/no-annotation', expect.stringContaining('no annotation of negation')],
    ])
    const { boards } = JSON.parse((await run(cwd, 'report', '--json')).stdout) as {
      readonly boards: readonly { readonly rows: readonly { readonly cells: readonly object[] }[] }[]
    }
    expect(boards[0]?.rows[0]?.cells).toMatchObject([
      { value: 1, measured: 1, evaluated: 2, causes: { 'not-measured': 1 } },
      { value: 1, measured: 1, evaluated: 1 },
    ])
    expect(await executed(cwd)).toEqual({ completions: 0, annotations: 0, metrics: 0 })
    writeFiles(cwd, { 'targets/annotators/negation.ts': ANNOTATOR })
    expect(await summaryOf(cwd, apart)).toMatchObject({ failures: [] })
  })

  it('is asked again where it was out of time', async () => {
    const slow = ANNOTATOR.replace('timeout: 5', 'timeout: 0.01').replace(
      'const words',
      'await new Promise(() => setInterval(() => {}, 1000)); const words',
    )
    const cwd = createWorkspace(annotatedFiles(slow))
    const { failures } = await summaryOf(cwd, apart)
    expect(failures[0]).toMatchObject({
      code: 'annotators/timeout',
      detail: 'targets/annotators/negation: it took more than 0.01 s',
    })
    expect((await summaryOf(cwd, apart)).failures).toHaveLength(2)
  })
})
