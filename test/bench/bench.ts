import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../cache/package-root.ts'
import { doubtSeconds } from './doubt.ts'
import { gridFiles, type Grid } from './grid-files.ts'
import { writeHelmRun, writeHelmSuite } from './helm-suite.ts'
import { least, median, runOnce, runTimes, type Sample } from './measure.ts'

const MEDMAKE = join(packageRoot(), 'dist/medmake.js')
const SUMMARIZE = join(packageRoot(), 'dist/helm-summarize.js')
const NX = join(packageRoot(), 'node_modules/nx/dist/bin/nx.js')
/** MedHELM's own size: 37 benchmarks × 13 models. */
const MEDHELM = { benchmarks: 37, models: 13, rows: 4 }

const folders: string[] = []

const workspace = (grid: Grid): string => {
  const root = mkdtempSync(join(tmpdir(), 'medmake-bench-'))
  folders.push(root)
  for (const [path, text] of Object.entries(gridFiles(grid))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** Installs medmake and Nx in a workspace, as `npm install medmake` would. */
const withNx = (root: string): void => {
  const own = readFileSync(join(packageRoot(), 'nx.json'), 'utf8')
  writeFileSync(join(root, 'nx.json'), own.replace('./tools/nx/index.cjs', 'medmake/nx'))
  copyFileSync(join(packageRoot(), '.env'), join(root, '.env'))
  writeFileSync(join(root, 'package.json'), '{"name": "bench", "private": true}\n')
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(join(packageRoot(), 'node_modules/nx'), join(root, 'node_modules/nx'))
  symlinkSync(packageRoot(), join(root, 'node_modules/medmake'))
}

const show = (what: string, result: string): void => {
  process.stdout.write(`${what.padEnd(58)} ${result}\n`)
}

const seconds = (samples: readonly Sample[]): string => {
  const times = samples.map((sample) => sample.seconds)
  const memory = Math.max(...samples.map(({ megabytes }) => megabytes))
  return `${least(times).toFixed(2)} s least, ${median(times).toFixed(2)} s median of ${times.length}, ${memory.toFixed(0)} MB`
}

const startUp = async (): Promise<void> => {
  show('medmake --help', seconds(await runTimes(7, MEDMAKE, ['--help'], { cwd: workspace(MEDHELM) })))
}

/** @param mirror the data sets as their publishers have them; with it their bytes are digested, too */
const dataStatus = async (mirror = process.env['MEDMAKE_MIRROR']): Promise<void> => {
  const cwd = mkdtempSync(join(tmpdir(), 'medmake-bench-'))
  folders.push(cwd)
  show('medmake data status, no data', seconds(await runTimes(5, MEDMAKE, ['data', 'status'], { cwd })))
  if (mirror === undefined) return
  const status = ['data', 'status', '--mirror', mirror]
  show('  with the public data in a mirror', seconds(await runTimes(5, MEDMAKE, status, { cwd })))
}

const nullRuns = async (): Promise<void> => {
  const cwd = workspace(MEDHELM)
  withNx(cwd)
  show(
    '481 pairs, 1,924 requests, embedded models, first run',
    seconds([await runOnce(MEDMAKE, ['run'], { cwd })]),
  )
  show('  the same again by medmake run', seconds(await runTimes(5, MEDMAKE, ['run'], { cwd })))
  show('  medmake report, first', seconds([await runOnce(MEDMAKE, ['report'], { cwd })]))
  show('  medmake report, again', seconds(await runTimes(3, MEDMAKE, ['report'], { cwd })))
  show('  nx show projects', seconds(await runTimes(3, NX, ['show', 'projects'], { cwd })))
  const all = ['run', 'leaderboard:report']
  show('  nx run leaderboard:report, first', seconds([await runOnce(NX, all, { cwd })]))
  show('  nx run leaderboard:report, again', seconds(await runTimes(5, NX, all, { cwd })))
}

const throughput = async (latency: number, concurrency: number, rows: number): Promise<void> => {
  const program = join(dirname(fileURLToPath(import.meta.url)), 'server.js')
  const server = spawn(process.execPath, [program, String(latency)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string]
  try {
    const cwd = workspace({ benchmarks: 1, models: 1, rows, url, concurrency })
    const sample = await runOnce(MEDMAKE, ['run'], { cwd })
    const rate = rows / sample.seconds
    const ideal =
      latency === 0
        ? ''
        : `, ${((100 * rate * latency) / 1000 / concurrency).toFixed(0)} % of what ${concurrency} calls in flight allow`
    show(
      `${rows.toLocaleString('en')} completions, server answers in ${latency} ms`,
      `${rate.toFixed(0)} a second${ideal}, ${sample.megabytes.toFixed(0)} MB`,
    )
  } finally {
    server.kill()
  }
}

/** A server that takes 50 requests a second, fails a fifth of them and loses a hundredth. */
const limited = async (rows: number): Promise<void> => {
  const faults = { perSecond: 50, errors: 0.2, hangs: 0.01 }
  const program = join(dirname(fileURLToPath(import.meta.url)), 'server.js')
  const server = spawn(process.execPath, [program, '0', JSON.stringify(faults)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface(server.stdout), 'line')) as [string]
  try {
    const cwd = workspace({ benchmarks: 1, models: 1, rows, url, concurrency: 32 })
    const { seconds: took } = await runOnce(MEDMAKE, ['run'], { cwd })
    const journal = (await (await fetch(url.replace(/v1$/, 'journal'))).json()) as {
      readonly requests: number
      readonly rejected: number
      readonly answered: number
      readonly duplicates: number
    }
    const share = (100 * (journal.requests - journal.rejected)) / took / faults.perSecond
    show(
      `${rows.toLocaleString('en')} calls, 50 a second allowed, a fifth fail, 1 % hang`,
      `${share.toFixed(0)} % of the limit, ${(journal.requests / rows).toFixed(2)} requests a call, ${journal.answered} answered, ${journal.duplicates} twice`,
    )
  } finally {
    server.kill()
  }
}

const large = async (): Promise<void> => {
  const cwd = workspace({ benchmarks: 1, models: 1, rows: 100_000 })
  show('100,000 instances, embedded model, first run', seconds([await runOnce(MEDMAKE, ['run'], { cwd })]))
  show('  the same again', seconds([await runOnce(MEDMAKE, ['run'], { cwd })]))
}

/** More than MedHELM's own: 54 scenarios × 13 models. */
const RELEASE = { scenarios: 54, models: 13, instances: 1000 }

const aggregation = async (): Promise<void> => {
  const cwd = mkdtempSync(join(tmpdir(), 'medmake-bench-'))
  folders.push(cwd)
  const output = join(cwd, 'benchmark_output')
  writeHelmSuite(output, 's', RELEASE)
  const summarize = async (...args: readonly string[]): Promise<Sample> => {
    const sample = await runOnce(SUMMARIZE, [...args, '-o', 'benchmark_output'], { cwd })
    // Runs that can't be read are left out with a warning, in no time.
    if (!sample.stdout.includes(`summarised ${RELEASE.scenarios * RELEASE.models} runs`))
      throw new Error(`not all runs were summarised: ${sample.stdout}`)
    return sample
  }
  show("702 runs of HELM's × 1,000 instances, helm-summarize", seconds([await summarize('--suite', 's')]))
  show('  the same again', seconds([await summarize('--suite', 's')]))
  writeHelmRun(output, 's', { ...RELEASE, scenario: 's07', model: 'm03' }, 1)
  show('  after one run changed', seconds([await summarize('--suite', 's')]))
  show('  as a release, pages there', seconds([await summarize('--release', 'r', '--suites', 's')]))
}

const doubt = (): void => {
  const { intervals, letters, places } = doubtSeconds()
  show('100 models × 40 benchmarks × 1,000: intervals, CPU', `${intervals.toFixed(1)} s`)
  show('  significance letters', `${letters.toFixed(1)} s`)
  show('  ranks on these benchmarks and like these', `${places.toFixed(1)} s`)
}

process.stdout.write(`Node ${process.versions.node}\n`)
try {
  await startUp()
  await dataStatus()
  await nullRuns()
  await throughput(0, 32, 5000)
  await throughput(50, 32, 2000)
  await throughput(50, 256, 8000)
  await limited(10_000)
  await large()
  await aggregation()
  doubt()
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
