import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../cache/package-root.ts'
import { gridFiles, type Grid } from './grid-files.ts'
import { writeHelmSuite } from './helm-suite.ts'

// `npm run bench -- growth [steps]`: CPU seconds as work grows tenfold a step, and each line's exponent: the slope of
// log CPU over log size between the last two steps. n log n is about 1.1 there. Four steps reach a million completions.
const [, , , steps = '3'] = process.argv
const here = dirname(fileURLToPath(import.meta.url))

/** CPU seconds of a program and its threads. */
const cpuOf = (script: string, args: readonly string[], cwd: string): number => {
  const hook = join(cwd, 'cpu.mjs')
  const note = join(cwd, 'cpu.txt')
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs'\nimport { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => { const { user, system } = process.cpuUsage(); writeFileSync(${JSON.stringify(note)}, String(user + system)) })\n`,
  )
  execFileSync(process.execPath, ['--import', hook, script, ...args], { cwd, stdio: 'pipe', maxBuffer: 1e9 })
  return Number(execFileSync('cat', [note], { encoding: 'utf8' })) / 1e6
}

const inFolder = async <T>(work: (folder: string) => T | Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'medmake-growth-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const workspace = (root: string, grid: Grid): void => {
  for (const [path, text] of Object.entries(gridFiles(grid))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

interface Line {
  readonly name: string
  readonly sizes: readonly number[]
  /** CPU seconds by what was measured. */
  readonly measure: (size: number) => Promise<Readonly<Record<string, number>>>
}

const medmake = join(packageRoot(), 'dist/medmake.js')

const grid = (sizeOf: (size: number) => Omit<Grid, 'url'>, url: string) => (size: number) =>
  inFolder((root) => {
    workspace(root, { ...sizeOf(size), url })
    const run = cpuOf(medmake, ['run'], root)
    return { run, 'null run': cpuOf(medmake, ['run'], root), report: cpuOf(medmake, ['report'], root) }
  })

const lines = (url: string): readonly Line[] => [
  {
    name: 'completions of one run',
    sizes: [1e3, 1e4, 1e5, 1e6],
    measure: grid((rows) => ({ benchmarks: 1, models: 1, rows }), url),
  },
  {
    name: 'models on one benchmark of 100 instances',
    sizes: [10, 100, 1000],
    measure: grid((models) => ({ benchmarks: 1, models, rows: 100 }), url),
  },
  {
    name: 'runs of 1,000 instances, summarised',
    sizes: [1, 10, 100, 702],
    measure: (runs) =>
      inFolder((cwd) => {
        const models = Math.min(13, runs)
        writeHelmSuite(join(cwd, 'out'), 's', {
          scenarios: Math.ceil(runs / models),
          models,
          instances: 1000,
        })
        const script = join(packageRoot(), 'dist/helm-summarize.js')
        return { summarize: cpuOf(script, ['--suite', 's', '-o', 'out'], cwd) }
      }),
  },
  {
    name: 'instances on the site, in 20 runs',
    sizes: [200, 2000, 20_000, 200_000],
    measure: (instances) =>
      inFolder((cwd) => ({
        emit: cpuOf(join(here, 'site.js'), ['5', '4', String(instances / 20)], cwd),
      })),
  },
]

const server = spawn(process.execPath, [join(here, 'server.js'), '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string]
  const [cpu] = cpus()
  process.stdout.write(`${cpu?.model ?? ''}, ${cpus().length} cores, Node ${process.versions.node}\n`)
  for (const { name, sizes, measure } of lines(url)) {
    process.stdout.write(`${name}\n`)
    let before: { readonly size: number; readonly found: Readonly<Record<string, number>> } | undefined
    for (const size of sizes.slice(0, Number(steps))) {
      const found = await measure(size)
      const shown = Object.entries(found).map(([what, seconds]) => {
        const last = before?.found[what]
        const slope =
          before === undefined || last === undefined
            ? ''
            : ` (^${(Math.log(seconds / last) / Math.log(size / before.size)).toFixed(2)})`
        return `${what} ${seconds.toFixed(2)} s${slope}`
      })
      process.stdout.write(`  ${size.toLocaleString('en').padStart(10)}  ${shown.join(', ')}\n`)
      before = { size, found }
    }
  }
} finally {
  server.kill()
}
