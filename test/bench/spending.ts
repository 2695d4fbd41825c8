import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { packageRoot } from '../../cache/package-root.ts'
import { randomKey, RandomStream } from '../../targets/statistics/resampling/random-stream.ts'
import { startFakeServer, type FakeServer } from './fake-server.ts'
import { gridFiles } from './grid-files.ts'
import { wordyAnswer } from './wordy-answer.ts'

// `npm run bench -- spending`: caps over a 5,000-call run and ranges of estimates, held to their promises.

const MEDMAKE = join(packageRoot(), 'dist/medmake.js')
const CALLS = 5000
const CAPS = 10
const ESTIMATES = 100
/** US dollars per million tokens. */
const PRICE = { input: 10, output: 100 }
const MAX_TOKENS = 16
/** The dearest prompt of these workspaces is shorter, its template's 64 tokens counted in. */
const LONGEST_PROMPT = 200
const ONE_CALL = (LONGEST_PROMPT * PRICE.input + MAX_TOKENS * PRICE.output) / 1e6

const draws = new RandomStream(randomKey('spending'), 0)

const inWorkspace = async (
  server: FakeServer,
  rows: number,
  use: (cwd: string) => Promise<void>,
): Promise<void> => {
  const cwd = mkdtempSync(join(tmpdir(), 'medmake-bench-'))
  const files = {
    ...gridFiles({ benchmarks: 1, models: 1, rows, url: server.url, concurrency: 64 }),
    'models/prices.yaml': `prices: [{ deployment: grid/m00, input: ${PRICE.input}, output: ${PRICE.output}, date: 2026-01-01, source: made up }]\n`,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  try {
    await use(cwd)
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}

const medmake = async (cwd: string, ...args: readonly string[]): Promise<{ code: number; json: unknown }> => {
  const { exitCode, stdout } = await execa(process.execPath, [MEDMAKE, ...args, '--json'], {
    cwd,
    reject: false,
    env: { NO_COLOR: '1' },
  })
  return { code: exitCode ?? -1, json: JSON.parse(stdout) }
}

const spentIn = async (cwd: string): Promise<number> =>
  ((await medmake(cwd, 'spend')).json as { total: { usd: number } }).total.usd

const show = (what: string, result: string): void => {
  process.stdout.write(`${what.padEnd(58)} ${result}\n`)
}

const caps = async (): Promise<void> => {
  let [highest, lowest, duplicates, requests, stopped] = [-Infinity, Infinity, 0, 0, 0]
  for (let trial = 0; trial < CAPS; trial += 1) {
    const server = await startFakeServer({ answer: wordyAnswer, keepCalls: false })
    await inWorkspace(server, CALLS, async (cwd) => {
      const cap = Number((0.05 + draws.below(2_000) / 1000).toFixed(3))
      const { code } = await medmake(cwd, 'run', '--max-usd', String(cap))
      if (code === 4) stopped += 1
      const over = (await spentIn(cwd)) - cap
      highest = Math.max(highest, over)
      lowest = Math.min(lowest, over)
      const resumed = await medmake(cwd, 'run')
      if (resumed.code !== 0) throw new Error(`the resumed run ended with ${resumed.code}`)
      duplicates += server.journal().duplicates
      requests += server.journal().requests
    })
    await server.close()
  }
  show(
    `${CAPS} random caps, ${CALLS.toLocaleString('en')} calls, 64 in flight`,
    `${stopped} stopped, spent minus cap ${lowest.toFixed(6)} … ${highest.toFixed(6)} USD, one call at most ${ONE_CALL.toFixed(6)}`,
  )
  show('  resumed', `${duplicates} duplicates in ${requests.toLocaleString('en')} requests`)
  if (highest > ONE_CALL || duplicates > 0 || requests !== CAPS * CALLS) process.exitCode = 1
}

const estimates = async (): Promise<void> => {
  const server = await startFakeServer({ answer: wordyAnswer, keepCalls: false })
  let held = 0
  let width = 0
  for (let trial = 0; trial < ESTIMATES; trial += 1) {
    // Every second case has replies to go by.
    const known = trial % 2 === 0 ? 20 + draws.below(80) : 0
    const asked = 1 + draws.below(200)
    await inWorkspace(server, known + asked, async (cwd) => {
      if (known > 0) await medmake(cwd, 'run', '-m', String(known))
      const { usd } = (await medmake(cwd, 'estimate')).json as { usd: { low: number; high: number } }
      const run = (await medmake(cwd, 'run')).json as { usd: number }
      if (usd.low <= run.usd + 1e-9 && run.usd <= usd.high + 1e-9) held += 1
      if (known > 0) width += (usd.high - usd.low) / run.usd / (ESTIMATES / 2)
    })
  }
  await server.close()
  show(`${ESTIMATES} estimates, half of them with replies to go by`, `${held} hold what was then paid`)
  show('  width of those with replies, of what was paid', `${(100 * width).toFixed(0)} %`)
  if (held < 0.95 * ESTIMATES) process.exitCode = 1
}

await caps()
await estimates()
