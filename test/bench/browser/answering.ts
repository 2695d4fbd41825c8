import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { HOSTINGS } from '../../../tools/site/about/hosting.ts'
import { readAssets } from '../../../tools/site/emit/assets.ts'
import { emitSite } from '../../../tools/site/emit/emit.ts'
import { siteInputs } from '../../../tools/site/emit/site-inputs.ts'
import type { SiteSuite } from '../../../tools/site/site.ts'
import { runPath } from '../../../tools/site/paths.ts'
import { launchChromium, wholeChromiumPath } from '../../tools/site/chromium.ts'
import { madeUpBoard, madeUpValues } from '../made-up-board.ts'
import { madeUpSite } from '../made-up-site.ts'
import { COMPARE, FIGURES, INSTANCES, LEADERBOARD, type Use } from './controls.ts'

// How long pages of 100 models on 40 benchmarks take to answer each control, as the browser's Event Timing tells (INP),
// and the longest task until all is settled: medians of several rounds. `answering [rounds] [part of a name] [instances]`.
const SIZE = { models: 100, benchmarks: 40 }
const rounds = Number(process.argv[3] ?? 5)
const asked = process.argv[4] ?? ''
/** Of every run: as many values each run brings. */
const instances = Number(process.argv[5] ?? 1000)

const OBSERVE = `window.longest = 0
window.task = 0
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries())
    if (interactionId > 0) window.longest = Math.max(window.longest, duration)
}).observe({ type: 'event', durationThreshold: 16 })
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.task = Math.max(window.task, duration)
}).observe({ type: 'longtask' })`

const measured = async (page: Page, use: Use): Promise<Found> => {
  const [before, act] = typeof use === 'function' ? [undefined, use] : use
  await before?.(page)
  await page.evaluate(OBSERVE)
  const started = performance.now()
  await act(page)
  // A set of the reader's own is being ranked.
  await page.locator('.verdict', { hasText: /^Testing/ }).waitFor({ state: 'detached', timeout: 300_000 })
  const settled = performance.now() - started
  // Entries come after the frame that the event led to.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300)))')
  const [answer, task] = await page.evaluate<[number, number]>('[window.longest, window.task]')
  return { answer, task, settled }
}

interface Found {
  readonly answer: number
  readonly task: number
  readonly settled: number
}

const board = (): SiteSuite => {
  const made = madeUpBoard(SIZE)
  const hosts = made.rows.map(({ model: { deployment } }, row) => ({
    deployment,
    description: '',
    hosting: HOSTINGS[row % HOSTINGS.length] ?? HOSTINGS[0],
  }))
  return { board: made, runs: [], values: madeUpValues(made, instances), models: hosts }
}

/** Few runs, of which one's instances are looked at. */
const FEW = { models: 3, benchmarks: 2 }

interface Shown {
  readonly name: string
  readonly path: (suite: SiteSuite) => string
  readonly ready: string
  readonly suite: () => SiteSuite
  readonly uses: Readonly<Record<string, Use>>
  readonly withInstances?: true
}

const PAGES: readonly Shown[] = [
  {
    name: 'leaderboard',
    path: () => 'index.html',
    ready: '.board-controls',
    suite: board,
    uses: LEADERBOARD,
  },
  {
    name: 'compare',
    path: () => 'compare.html',
    ready: '.forest-row',
    // Two of them are compared at a time.
    suite: () => madeUpSite({ ...SIZE, models: 10, instances }),
    uses: COMPARE,
  },
  {
    name: 'figures',
    path: () => 'figures.html',
    ready: 'svg.drawing',
    suite: () => ({ board: madeUpBoard(SIZE), runs: [] }),
    uses: FIGURES,
  },
  {
    name: 'instances',
    path: ({ runs: [run] }) => runPath(run?.facts.suite ?? '', run?.facts.name ?? ''),
    ready: '.instance-list tbody tr',
    suite: () => madeUpSite({ ...FEW, instances }),
    uses: INSTANCES,
    withInstances: true,
  },
]

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

const browser = await launchChromium(wholeChromiumPath)
const assets = await readAssets()
for (const { name, path, ready, suite, uses: all, withInstances } of PAGES) {
  const uses = Object.entries(all).filter(([what]) => `${name}: ${what}`.includes(asked))
  if (uses.length === 0) continue
  const folder = mkdtempSync(join(tmpdir(), 'medmake-answering-'))
  const made = suite()
  await emitSite(folder, {
    suites: [made],
    assets,
    inputs: siteInputs([made], assets),
    ...(withInstances === true ? {} : { withoutInstances: true }),
  })
  for (const [what, use] of uses) {
    const found: Found[] = []
    for (let round = 0; round < rounds; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      await page.goto(pathToFileURL(join(folder, path(made))).href)
      await page.locator(ready).first().waitFor()
      found.push(await measured(page, use))
      await page.close()
    }
    const told = (of: (each: Found) => number): string =>
      `${Math.round(median(found.map(of)))} (${Math.round(Math.max(...found.map(of)))})`
    process.stdout.write(
      `${name}: ${what}: ${told(({ answer }) => answer)} ms, longest task ${told(({ task }) => task)}, settled ${told(({ settled }) => settled)}\n`,
    )
  }
  rmSync(folder, { recursive: true })
}
await browser.close()
