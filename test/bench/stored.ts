import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openStore } from '../../cache/open-store.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { gridFiles } from './grid-files.ts'
import { median, runOnce, runTimes } from './measure.ts'

// `npm run bench -- stored [completions]`: a workspace of 481 finished pairs whose store is filled up to so many replies
// of 1.3 kB (1,000,000): what it takes to open it, to look replies up and to find that nothing is to be done.
const [, script = '', , asked = '1000000', folder] = process.argv
const COUNT = Number(asked)
const LOOKUPS = 50_000
const GROUP = 4096

const idOf = (at: number): string => digestOf(`made-up call ${at}`)

const replyOf = (at: number) => ({
  at,
  text: `Case ${at}: ${'the patient was admitted with a fever of three days and discharged. '.repeat(18)}`,
})

const secondsOf = async (work: () => Promise<unknown> | void): Promise<{ wall: number; cpu: number }> => {
  const [started, before] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - started) / 1e3, cpu: (user + system) / 1e6 }
}

/** In a process of its own: opening and looking up as a session would. */
const probe = async (path: string): Promise<void> => {
  const onEvent = (event: object): never => {
    throw new Error(JSON.stringify(event))
  }
  let store: Awaited<ReturnType<typeof openStore>> | undefined
  const opened = await secondsOf(async () => {
    store = await openStore({ path, onEvent })
  })
  if (store === undefined) throw new Error('unreachable: it was opened')
  const own = store
  const ids = Array.from({ length: LOOKUPS }, (_, at) => idOf((at * 7919) % COUNT))
  const got = await secondsOf(() => {
    for (const id of ids) if (own.get('completions', id) === undefined) throw new Error(`no reply ${id}`)
  })
  const had = await secondsOf(() => {
    for (const id of ids) if (!own.has('completions', id)) throw new Error(`no reply ${id}`)
  })
  await own.close()
  process.stdout.write(JSON.stringify({ opened, got, had }))
}

const fill = async (path: string): Promise<void> => {
  const store = await openStore({ path, onEvent: () => undefined })
  for (let from = 0; from < COUNT; from += GROUP)
    await Promise.all(
      Array.from({ length: Math.min(GROUP, COUNT - from) }, (_, at) =>
        store.put('completions', idOf(from + at), replyOf(from + at)),
      ),
    )
  await store.close()
}

interface Probed {
  readonly opened: { readonly wall: number; readonly cpu: number }
  readonly got: { readonly wall: number; readonly cpu: number }
  readonly had: { readonly wall: number; readonly cpu: number }
}

const say = (what: string, found: string): void => {
  process.stdout.write(`${what.padEnd(44)} ${found}\n`)
}

const measure = async (root: string): Promise<void> => {
  for (const [path, text] of Object.entries(gridFiles({ benchmarks: 37, models: 13, rows: 4 }))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const medmake = join(packageRoot(), 'dist/medmake.js')
  await runOnce(medmake, ['run'], { cwd: root })
  const cache = join(root, 'cache')
  const filled = await secondsOf(() => fill(cache))
  const sizes = readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  say(
    `${COUNT.toLocaleString('en')} replies stored`,
    `${filled.cpu.toFixed(1)} s of CPU, ${megabytes.toFixed(0)} MB`,
  )
  const probes = [1, 2, 3, 4, 5].map(
    () =>
      JSON.parse(
        execFileSync(process.execPath, [script, 'stored', asked, cache], { encoding: 'utf8' }),
      ) as Probed,
  )
  const shown = (part: keyof Probed, as: (seconds: number) => string): string =>
    `${as(median(probes.map((each) => each[part].wall)))} by the clock, ${as(median(probes.map((each) => each[part].cpu)))} of CPU`
  const rate = (seconds: number): string => `${Math.round(LOOKUPS / seconds).toLocaleString('en')}/s`
  say(
    'opened, median of 5',
    shown('opened', (seconds) => `${seconds.toFixed(3)} s`),
  )
  say('get, in no order', shown('got', rate))
  say('has, in no order', shown('had', rate))
  const nulls = await runTimes(5, medmake, ['run'], { cwd: root })
  const [wall, cpu] = [nulls.map(({ seconds }) => seconds), nulls.map((sample) => sample.cpu)]
  say(
    'null run of 481 pairs, median of 5',
    `${median(wall).toFixed(2)} s by the clock, ${median(cpu).toFixed(2)} s of CPU`,
  )
}

if (folder !== undefined) await probe(folder)
else {
  const root = mkdtempSync(join(tmpdir(), 'medmake-stored-'))
  try {
    await measure(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
