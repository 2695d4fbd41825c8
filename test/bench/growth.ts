import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../cache/package-root.ts'
import { gridFiles, type Grid } from './grid-files.ts'
import { exponentOf, growthFigure, type Growth, type Series } from './growth-figure.ts'
import { writeHelmSuite } from './helm-suite.ts'

// `npm run bench -- growth [steps] [line …] [--keep]`: CPU seconds and memory as work grows tenfold a step, and at each
// step the exponent: the slope of log CPU over log size since the step before. n log n is about 1.1 there; more is a fault,
// and the bench ends with 1. `--keep` writes the lines beside the README and draws them; the others stay as they were.
const isKept = process.argv.includes('--keep')
const [steps = '3', ...wanted] = process.argv.slice(3).filter((word) => word !== '--keep')
const WORST = 1.1
const here = dirname(fileURLToPath(import.meta.url))

interface Cost {
  /** CPU seconds of a program and its threads. */
  readonly seconds: number
  /** Largest resident set, 10^6 bytes. */
  readonly megabytes: number
}

const costOf = (script: string, args: readonly string[], cwd: string): Cost => {
  const hook = join(cwd, 'cpu.mjs')
  const note = join(cwd, 'cpu.txt')
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs'\nimport { isMainThread } from 'node:worker_threads'
if (isMainThread) process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); writeFileSync(${JSON.stringify(note)}, JSON.stringify({ seconds: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS * 1.024 / 1e3 })) })\n`,
  )
  execFileSync(process.execPath, ['--import', hook, script, ...args], { cwd, stdio: 'pipe', maxBuffer: 1e9 })
  return JSON.parse(readFileSync(note, 'utf8')) as Cost
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
  readonly key: string
  readonly name: string
  readonly sizes: readonly number[]
  /** By what was measured. */
  readonly measure: (size: number) => Promise<Readonly<Record<string, Cost>>>
}

const medmake = join(packageRoot(), 'dist/medmake.js')

const grid = (sizeOf: (size: number) => Grid) => (size: number) =>
  inFolder((root) => {
    workspace(root, sizeOf(size))
    const run = costOf(medmake, ['run'], root)
    return { run, 'null run': costOf(medmake, ['run'], root), report: costOf(medmake, ['report'], root) }
  })

const lines = (url: string): readonly Line[] => [
  {
    key: 'calls',
    name: 'Calls of one run, server at 0 ms',
    sizes: [1e3, 1e4, 1e5, 1e6],
    measure: grid((rows) => ({ benchmarks: 1, models: 1, rows, url })),
  },
  {
    key: 'completions',
    name: 'Completions of one run, embedded model',
    sizes: [1e3, 1e4, 1e5, 1e6],
    measure: grid((rows) => ({ benchmarks: 1, models: 1, rows })),
  },
  {
    key: 'models',
    name: 'Models on one benchmark of 20 instances',
    sizes: [10, 100, 1000],
    measure: grid((models) => ({ benchmarks: 1, models, rows: 20, url })),
  },
  {
    key: 'runs',
    name: 'Runs of 1,000 instances, summarised',
    sizes: [1, 13, 130, 702],
    measure: (runs) =>
      inFolder((cwd) => {
        const models = Math.min(13, runs)
        writeHelmSuite(join(cwd, 'out'), 's', { scenarios: runs / models, models, instances: 1000 })
        const script = join(packageRoot(), 'dist/helm-summarize.js')
        const summarize = (): Cost => costOf(script, ['--suite', 's', '-o', 'out'], cwd)
        return { first: summarize(), again: summarize() }
      }),
  },
  {
    key: 'site',
    name: 'Instances on the site, in 10 runs',
    sizes: [10, 2000, 20_000, 200_000],
    measure: (instances) =>
      inFolder((cwd) => ({
        emit: costOf(join(here, 'site.js'), ['5', '2', String(instances / 10)], cwd),
      })),
  },
]

const round = (value: number): number => Number(value.toPrecision(3))

const measured = async ({ name, sizes, measure }: Line, machine: string): Promise<Growth> => {
  process.stdout.write(`${name}\n`)
  const points = new Map<string, Series['points']>()
  for (const size of sizes.slice(0, Number(steps))) {
    const shown = Object.entries(await measure(size)).map(([what, { seconds, megabytes }]) => {
      const grown = [
        ...(points.get(what) ?? []),
        { size, seconds: round(seconds), megabytes: round(megabytes) },
      ]
      points.set(what, grown)
      const slope = exponentOf(grown)
      if (slope !== undefined && slope > WORST) process.exitCode = 1
      const told =
        slope === undefined ? '' : ` (^${slope.toFixed(2)}${slope > WORST ? ', more than n log n' : ''})`
      return `${what} ${seconds.toFixed(2)} s${told} ${megabytes.toFixed(0)} MB`
    })
    process.stdout.write(`  ${size.toLocaleString('en').padStart(10)}  ${shown.join(', ')}\n`)
  }
  const series = [...points].map(([what, own]) => ({ name: what, points: own }))
  return { name, machine, date: new Date().toISOString().slice(0, 10), series }
}

/** Puts what was measured in the place of what was kept of the same lines. */
const keep = (grown: ReadonlyMap<string, Growth>, order: readonly Line[]): void => {
  const folder = join(packageRoot(), 'test/bench')
  const file = join(folder, 'growth.json')
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Growth>) : {}
  const all = order.flatMap(({ key }) => {
    const growth = grown.get(key) ?? before[key]
    return growth === undefined ? [] : [[key, growth] as const]
  })
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`)
  writeFileSync(join(folder, 'growth.svg'), growthFigure(all.map(([, growth]) => growth)))
}

const server = spawn(process.execPath, [join(here, 'server.js'), '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string]
  const machine = `${cpus()[0]?.model ?? ''}, ${cpus().length} cores, Node ${process.versions.node}`
  process.stdout.write(`${machine}\n`)
  const grown = new Map<string, Growth>()
  for (const line of lines(url))
    if (wanted.length === 0 || wanted.includes(line.key)) grown.set(line.key, await measured(line, machine))
  if (isKept) keep(grown, lines(url))
} finally {
  server.kill()
}
