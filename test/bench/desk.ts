import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { packageRoot } from '../../cache/package-root.ts'
import { RUBRIC } from '../tools/rating-desk/rubric.ts'
import { startFakeServer } from './fake-server.ts'

// `npm run bench -- desk`: a desk of many items: how long until its link is printed, for the first time and again, how long
// an item and a rating take, how long and how large a sealed file is. `--root DIR` keeps the workspace for another time.

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    items: { type: 'string', default: '10000' },
    root: { type: 'string' },
    access: { type: 'string', default: 'public' },
  },
})

const MEDMAKE = join(packageRoot(), 'dist/medmake.js')
const MODELS = ['bench/a', 'bench/b']
const ITEMS = Number(values.items)
/** Characters of an answer, about as many as a patient letter has. */
const ANSWER = 1200

const root = values.root ?? mkdtempSync(join(tmpdir(), 'medmake-desk-'))
const medmake = (...args: string[]) =>
  execa(process.execPath, [MEDMAKE, ...args], {
    cwd: root,
    env: { NO_COLOR: '1', MEDMAKE_VAULT_KEY: 'c3'.repeat(32) },
  })

const show = (what: string, started: number, more = ''): void =>
  console.log(`${what.padEnd(34)} ${((performance.now() - started) / 1000).toFixed(2)} s${more}`)

const build = async (): Promise<void> => {
  const server = await startFakeServer({
    keepCalls: false,
    answer: ({ model, prompt }) => {
      const note = Number(/#(\d+)#/.exec(prompt)?.[1])
      if (MODELS.includes(model)) return `${model} says of #${note}#. `.repeat(ANSWER / 24)
      const score = 1 + ((note * 7) % 5)
      return `{"accuracy": {"score": ${score}, "explanation": ""}, "clarity": {"score": ${score}, "explanation": ""}}`
    },
  })
  const deployments = [...MODELS, 'bench/judge'].map(
    (name) =>
      `  - name: ${name}\n    limits: {concurrency: 32}\n    client_spec: {class_name: medmake.chat, args: {base_url: "${server.url}", model: ${name}}}\n`,
  )
  const notes = Array.from({ length: ITEMS / MODELS.length }, (_, at) => `${at},note ${at},reference ${at}\n`)
  const files = {
    'medmake.yaml': `max_eval_instances: ${ITEMS}\n`,
    'models/bench.yaml': `model_deployments:\n${deployments.join('')}`,
    'benchmarks/letters/benchmark.yaml': `name: letters
description: Short letters that a jury reads.
access: ${values.access}
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 400
metrics:
  - {name: jury_score, prompt_file: rubric.txt, judges: [{name: bench/judge, model_name: bench/judge}]}
`,
    'benchmarks/letters/prompt.txt': 'Write a letter about #{number}#: {note}',
    'benchmarks/letters/rubric.txt': RUBRIC,
    'benchmarks/letters/data.csv': `number,note,correct_answer\n${notes.join('')}`,
    'targets/main.conf': `entries: [${MODELS.map((model) => `{description: "letters:model=${model}"}`).join(', ')}]`,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const started = performance.now()
  await medmake('run')
  show(`run of ${ITEMS} answers`, started)
  await server.close()
}

interface Reply {
  readonly opening: number
  readonly problem?: string
}

/** Serves until the link is printed, then asks for `count` items and rates them as a page does. */
const serve = async (what: string, count: number): Promise<void> => {
  const started = performance.now()
  const server = medmake('rate', 'serve', '--port', '0')
  let printed = ''
  for await (const chunk of server.stdout) {
    printed += String(chunk)
    if (printed.includes('Each link opens')) break
  }
  show(what, started)
  const url = new URL(/http\S+/.exec(printed)?.[0] ?? '')
  const cookie = (await fetch(url, { redirect: 'manual' })).headers.get('set-cookie')?.split(';')[0] ?? ''
  const ask = async (name: string, body: object): Promise<Reply> => {
    const response = await fetch(`${url.origin}${url.pathname}api/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url.origin, Cookie: cookie },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Reply
  }
  const times = { item: [] as number[], save: [] as number[] }
  const { opening } = await ask('open', {})
  for (let item = 1; item <= count; item += 1) {
    const rating = { item, scores: { accuracy: 3, clarity: 4 }, reason: null, safety: false, comment: '' }
    const shown = performance.now()
    await ask('item', { opening, item })
    const saved = performance.now()
    const reply = await ask('save', { opening, rating: { ...rating, active_ms: 1000, opened: [] } })
    if (reply.problem !== undefined) throw new Error(reply.problem)
    times.item.push(saved - shown)
    times.save.push(performance.now() - saved)
  }
  server.kill()
  await server.catch(() => undefined)
  for (const [name, all] of Object.entries(times)) {
    const sorted = all.toSorted((a, b) => a - b)
    const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? NaN).toFixed(1)
    if (count > 0) console.log(`  ${name.padEnd(32)} ${at(0.5)} ms median, ${at(0.99)} ms p99`)
  }
}

if (!existsSync(join(root, 'targets/main.conf'))) await build()
let started = performance.now()
rmSync(join(root, 'ratings'), { recursive: true, force: true })
await medmake(
  'rate',
  'plan',
  'main',
  '--practice',
  '0',
  '--raters',
  'ann',
  '--labels',
  String(ITEMS),
  '--overlap',
  '0',
)
show(`rate plan of ${ITEMS}`, started)
await serve('rate serve, first', 200)
await serve('rate serve, again', 0)
started = performance.now()
const packed = await medmake('rate', 'pack', '--rater', 'ann').catch(() => undefined)
if (packed !== undefined) show('rate pack', started)
if (values.root === undefined) rmSync(root, { recursive: true })
