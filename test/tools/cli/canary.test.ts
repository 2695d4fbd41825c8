import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'

import { fakeAnswer, type FakeAnswer, type FakeCall } from '../../bench/fake-answer.ts'
import { canary, filesWithCanaries, foundIn, storedWithCanaries } from '../../rig/canary.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createNxWorkspace, nx } from '../../rig/nx.ts'
import { writeFiles } from '../../rig/workspace.ts'

const ROWS = 63
/** Of each row: one in each column, and four more in the letter. */
const IDENTIFIERS = 8
const KEY = 'sk-a-key-that-nobody-may-read'
const env = { FAKE_API_KEY: KEY }

const letters = (): string =>
  `id,letter,comment,stopped\n${Array.from({ length: ROWS }, (_, row) => {
    const [id, comment, stopped, ...letter] = Array.from({ length: IDENTIFIERS }, (__, at) =>
      canary(IDENTIFIERS * row + at),
    )
    return [id, letter.join(' '), comment, stopped].join(',')
  }).join('\n')}\n`

const benchmark = (name: string, more: { instructions?: string; instances?: string } = {}): string => `
name: ${name}
display_name: Letters
description: Asks for the one medicine that a letter stops.
access: private
category: Clinical Note Generation
${more.instances === undefined ? 'cluster: letter\nattributes: { visit: comment }' : ''}
protocols:
  - version: medmake-1
    data:
      letters: { path: letters.csv, format: csv }
${
  more.instances ??
  `    instances:
      - from: letters
        split: test
        id: '{id}'
        cluster: '{comment}'
        sub_split: '{id}'
        input: "Letter: {letter} {comment}\\nWhich medicine is stopped?\\n"
        references: [{ text: '{stopped}', correct: true }]
`
}
    adapter:
      method: generation
      instructions: ${more.instructions ?? `Unlike ${canary(9100)}, answer with one word.`}
      input_prefix: 'Of ${canary(9101)}: '
      stop_sequences: ['${canary(9102)}']
      max_train_instances: 0
      max_tokens: 8
    metrics: [exact_match, llm_jury, { name: kept, args: { words: ['${canary(9103)}'] } }]
    annotators: [{ name: tone, args: { like: { words: '${canary(9104)}' } } }]
    main_metric: { name: exact_match, split: test }
    jury:
      rubric: judge.txt
      criteria: { accuracy: [score, explanation] }
`

/** Code of the workspace that takes words. */
const CODE = {
  'targets/metrics/kept.ts': `import { defineMetric } from 'medmake'
export const metric = defineMetric({ measures: [{ name: 'kept' }], evaluate: () => ({ kept: 1 }) })
`,
  'targets/annotators/tone.ts': `import { defineAnnotator } from 'medmake'
export const annotator = defineAnnotator({ fields: [{ name: 'kind', type: 'text' }], annotate: () => ({ kind: 'dry' }) })
`,
}

const RUBRIC = `Of the question {QUESTION} and the truth {GOLD_RESPONSE}, is {RESPONSE} right?
{"accuracy": {"score": 0, "explanation": "why"}}
`

const benchmarkFiles = (name: string, yaml = benchmark(name), data = letters()) => ({
  [`benchmarks/${name}/benchmark.yaml`]: yaml,
  [`benchmarks/${name}/judge.txt`]: RUBRIC,
  [`benchmarks/${name}/letters.csv`]: data,
})

let faulty = true

/** What a server says of its own, in a reply and in every field around it. */
const OWN = { answer: canary(9001), model: canary(9002), print: canary(9003), error: canary(9004) }

/** A reply that names what it was asked in all that a server says of itself. */
const reply = (content: string, prompt: string): FakeAnswer => {
  const [echo = ''] = foundIn(prompt)
  return {
    status: 200,
    headers: { 'x-request-id': echo },
    body: {
      id: echo,
      model: `${OWN.model} ${echo}`,
      system_fingerprint: `${OWN.print} ${prompt}`,
      service_tier: echo,
      choices: [
        {
          message: { role: 'assistant', content, reasoning_content: prompt, refusal: null },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 3, [echo]: 1 },
    },
  }
}

/** Repeats what it was asked in every way in which a server can, now and then in an error. */
const answer = (call: FakeCall): FakeAnswer => {
  const { prompt, model } = call
  const draw = prompt.length + (prompt.codePointAt(prompt.indexOf('ZQX7') + 14) ?? 0)
  if (faulty && draw % 5 === 0)
    return {
      status: 400,
      body: { error: { message: `bad request with the key ${KEY}: ${OWN.error} ${prompt}`, code: prompt } },
    }
  if (faulty && draw % 35 === 3) return { status: 200, body: `${prompt} is no JSON` }
  if (faulty && draw % 35 === 4)
    return { status: 200, body: { choices: [{ message: { content: [prompt] } }] } }
  if (model === 'fake/judge') {
    if (faulty && draw % 5 === 1) return reply(`I can't judge ${prompt}`, prompt)
    if (faulty && draw % 5 === 2)
      return reply(`{"accuracy": {"score": "${prompt.slice(0, 80)}", "explanation": 1}}`, prompt)
    const explanation = `for ${OWN.answer} ${prompt.replaceAll(/[^A-Z0-9 ]/g, ' ')}`
    return reply(`{"accuracy": {"score": 4, "explanation": "${explanation}"}}`, prompt)
  }
  return reply(`${OWN.answer} ${fakeAnswer(call)}`, prompt)
}

let cwd = ''
const said: string[] = []

const run = (...args: readonly string[]): Promise<number> => told(args, true)

/** In a process of its own, as code of the workspace leaves something behind in it. */
const runFaulty = (...args: readonly string[]): Promise<number> => told(args, false)

const told = async (args: readonly string[], isFresh: boolean): Promise<number> => {
  const { code, stdout, stderr } = await medmake(args, { cwd, env, isFresh })
  said.push(`$ medmake ${args.join(' ')}\n${stdout}\n${stderr}`)
  return code
}

/** Runs' own folders and lists are HELM's files, which have the texts; data and declarations are the user's. */
const outside = (): readonly string[] =>
  filesWithCanaries(cwd).filter(
    (file) =>
      !/^benchmarks\/\w+\/(?:letters\.csv|scenario\.js|benchmark\.yaml)$/.test(file) &&
      !/^benchmark_output\/runs\/\w+\/(?:\w+:[^/]*\/|runs\.json$|run_specs\.json$)/.test(file),
  )

beforeAll(async () => {
  const server = await fakeServer({ answer })
  cwd = createNxWorkspace({
    // What fails here fails again.
    'medmake.yaml': 'attempts: 1\n',
    'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b', 'fake/judge']),
    'benchmarks/judges.yaml': 'judges: [{name: judge, model: fake/judge, model_deployment: fake/judge}]\n',
    ...benchmarkFiles('letters'),
    ...CODE,
    'targets/wards.conf':
      'entries: [{description: "letters:model=fake/a"}, {description: "letters:model=fake/b"}]\n',
  })
})

describe('Five hundred identifiers planted in a private benchmark', { timeout: 240_000 }, () => {
  test('are sent to the models, and stay out of everything that faults print or leave', async () => {
    expect(await run('doctor')).toBe(0)
    expect(await run('run', '--dry-run')).toBe(0)
    expect(await run('run', '--json')).toBe(1)
    expect(await run('run')).toBe(1)
    expect(said.at(-1)).toContain('characters withheld')
    expect(said.at(-1)).toContain('withheld name 1')
    expect(await run('run', '--allow-failures')).toBe(0)
    for (const args of [
      ['report', '--allow-failures'],
      ['compare', '--json'],
      ['explain', 'letters', '--json'],
    ])
      await run(...args)
    expect(outside()).toEqual([])
  })

  test.each([
    ['a row with a cell too many', letters().replace('\n', `\n${canary(1)},b,c,d,e\n`), 'ragged'],
    ['an id that comes twice', letters() + letters().split('\n').slice(1, 2).join('\n'), 'duplicate-id'],
    ['no header', letters().split('\n').slice(1).join('\n'), 'missing-column'],
    ['an open quote', letters().replace(canary(3), `"${canary(3)}`), 'benchmarks/csv'],
  ])('are quoted by no error over %s', async (_, data, code) => {
    writeFiles(cwd, benchmarkFiles('broken', undefined, data))
    expect(await run('run', '--run-entries', 'broken:model=fake/a')).toBe(2)
    expect(said.at(-1)).toContain(code)
    expect(await run('run', '--dry-run', '--run-entries', 'broken:model=fake/a')).toBe(2)
    await run('data', 'status', 'broken', '--full', '--json')
    expect(outside()).toEqual([])
  })

  test('are quoted by no fault of code that reads them', async () => {
    const thrown = `export const instances = (data) => { throw new TypeError(JSON.stringify([...data.tables.get('letters').rows].map((row) => [...row.cells.values()]))) }\n`
    const yaml = benchmark('thrower', { instances: '' })
    writeFiles(cwd, { ...benchmarkFiles('thrower', yaml), 'benchmarks/thrower/scenario.js': thrown })
    expect(await runFaulty('run', '--run-entries', 'thrower:model=fake/a')).not.toBe(0)
    expect(said.at(-1)).toContain("scenario.js: the scenario's code ended with an error")
    expect(outside()).toEqual([])
  })

  test('are quoted by no error that code leaves behind, and are no name that it gives to all objects', async () => {
    const left = `export const instances = (data) => {
  const said = JSON.stringify([...data.tables.get('letters').rows].map((row) => [...row.cells.values()]))
  Promise.reject(new Error(said))
  Object.prototype[said] = 1
  return [{ input: { text: 'Yes?' }, references: [], split: 'test' }]
}
`
    const yaml = benchmark('leaver', { instances: '' })
    writeFiles(cwd, { ...benchmarkFiles('leaver', yaml), 'benchmarks/leaver/scenario.js': left })
    expect(await runFaulty('run', '--run-entries', 'leaver:model=fake/a')).toBe(1)
    expect(said.at(-1)).toMatch(/left an error behind: \[\d+ characters withheld/)
    expect(said.at(-1)).toContain('replaced Object.prototype[…],')
    expect(outside()).toEqual([])
  })

  test('stay in the vault and in the runs’ own files when all goes well', async () => {
    faulty = false
    expect(await run('run', '--json')).toBe(0)
    for (const args of [
      ['run', '--json'],
      ['report'],
      ['summarize', '--suite', 'wards', '--auto-generate-schema'],
      ['compare'],
      ['jury', 'dropout', '--json'],
      ['analyze', '--json'],
      ['costs'],
      ['cache', 'stats', '--json'],
      ['cache', 'verify'],
      ['cache', 'gc', '--dry-run'],
      ['release', 'create', 'first'],
      ['release', 'verify', 'first'],
      ['serve', '--export-path', 'exported'],
      ['serve', '--site', 'benchmark_output/site', '--export-path', 'exported-again'],
      ['spend', '--by', 'model', '--json'],
      ['jury', 'coverage', '--json'],
      ['models', '--json'],
      ['doctor', '--json'],
    ])
      expect(await run(...args), said.at(-1)).toBe(0)
    // Its aggregates are all that it holds of them: nothing can be scored anew.
    expect(await run('release', 'reproduce', 'first'), said.at(-1)).toBe(1)
    expect(outside()).toEqual([])
    expect(await storedWithCanaries(cwd)).toEqual([])
  })

  test('are in neither Nx’s output nor its cache', async () => {
    const { code, output } = await nx(['run-many', '-t', 'score'], { cwd, env })
    said.push(output)
    expect(code, output).toBe(0)
    expect(outside()).toEqual([])
  })

  test('are hidden by explain where instructions hold them', async () => {
    writeFiles(
      cwd,
      benchmarkFiles('letters', benchmark('letters', { instructions: `Unlike ${canary(3)}, be brief.` })),
    )
    await run('explain', 'letters')
    expect(said.at(-1)).toMatch(/prompts\.adapter\.instructions .*characters withheld/)
    await run('explain', 'letters', '--json')
  })

  test('are printed nowhere, and neither is the key that the server repeated', () => {
    expect(said.filter((text) => foundIn(text).length > 0)).toEqual([])
    expect(said.filter((text) => text.includes(KEY))).toEqual([])
  })

  test('are found where they may be: the search is no empty one', () => {
    const runs = filesWithCanaries(join(cwd, 'benchmark_output/runs/wards'))
    expect(runs.some((file) => file.endsWith('scenario_state.json'))).toBe(true)
    expect(existsSync(join(cwd, 'cache/store-vault'))).toBe(true)
  })

  test.skipIf(process.platform === 'win32')('lie in files that only their owner may read', () => {
    const root = join(cwd, 'benchmark_output/runs/wards')
    const folders = readdirSync(root).filter((name) => name.startsWith('letters:'))
    const open = folders
      .flatMap((name) => [name, ...readdirSync(join(root, name)).map((file) => `${name}/${file}`)])
      .filter((path) => (lstatSync(join(root, path)).mode & 0o077) !== 0)
    expect(folders).toHaveLength(2)
    expect(open).toEqual([])
  })
})
