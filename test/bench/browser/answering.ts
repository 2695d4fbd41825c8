import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { readAssets } from '../../../tools/site/emit/assets.ts'
import { emitSite } from '../../../tools/site/emit/emit.ts'
import { siteInputs } from '../../../tools/site/emit/site-inputs.ts'
import type { SiteSuite } from '../../../tools/site/site.ts'
import { launchChromium } from '../../tools/site/chromium.ts'
import { madeUpBoard } from '../made-up-board.ts'
import { madeUpSite } from '../made-up-site.ts'

// How long pages of 100 models on 40 benchmarks take to answer each control, as the browser's Event Timing tells (INP):
// the median of several rounds. `answering [rounds] [part of a name]`.
const SIZE = { models: 100, benchmarks: 40 }
const rounds = Number(process.argv[3] ?? 5)
const asked = process.argv[4] ?? ''

type Use = (page: Page) => Promise<unknown>

// Labels hold their field; the options within would count as their text.
const field = (page: Page, label: string): Locator =>
  page
    .locator('label')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('select, input')

// A reader's own keys fire timed events; a value set by script would not.
const choose =
  (label: string, presses: number): Use =>
  async (page) => {
    await field(page, label).focus()
    for (let press = 0; press < presses; press += 1) await page.keyboard.press('ArrowDown')
  }
const click =
  (name: string | RegExp): Use =>
  (page) =>
    page.getByRole('button', { name }).first().click()
const write =
  (label: string, text: string): Use =>
  async (page) => {
    await field(page, label).focus()
    await page.keyboard.type(text)
    await page.keyboard.press('Enter')
  }

const LEADERBOARD: Readonly<Record<string, Use>> = {
  'sort by model': click('Sort by Model'),
  'sort by win rate': click(/^Sort by Win rate/),
  'sort by cost': click(/^Sort by Cost/),
  'choose a task': choose('Task', 2),
  'choose by access': choose('Data', 2),
  'filter by weights': choose('Weights', 1),
  'filter by creator': choose('Creator', 2),
  'limit the price': write('$ per 1,000', '40'),
  'limit the latency': write('Seconds', '2'),
  search: async (page) => {
    await page.getByLabel('Search models').focus()
    await page.keyboard.type('model 7')
  },
  pin: (page) => page.locator('.board tbody .pin button').first().click(),
  'unfold a category': click(/^Benchmarks of/),
  'open a cell': (page) => page.locator('.board tbody td:not(.pin) button').first().click(),
  'go on by keys': async (page) => {
    await page.locator('.board tbody [tabindex="0"]').focus()
    for (const key of ['ArrowRight', 'PageDown', 'PageDown', 'End']) await page.keyboard.press(key)
  },
  'choose benchmarks': async (page) => {
    await page.locator('summary', { hasText: '40 of 40' }).click()
    for (const at of [0, 1, 2]) await page.locator('details input[type=checkbox]').nth(at).click()
  },
  'show all scores': (page) => page.locator('summary', { hasText: 'All scores' }).click(),
}
const COMPARE: Readonly<Record<string, Use>> = {
  'other model A': choose('Model A', 1),
  'other model B': choose('Model B', 1),
  'swap A and B': click('Swap A and B'),
  'other benchmark': choose('Benchmark', 1),
  order: choose('Order', 1),
  'only different scores': choose('Show', 1),
}

const OBSERVE = `window.longest = 0
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries())
    if (interactionId > 0) window.longest = Math.max(window.longest, duration)
}).observe({ type: 'event', durationThreshold: 16, buffered: true })`

const measured = async (page: Page, use: Use): Promise<number> => {
  await page.evaluate(OBSERVE)
  await use(page)
  // Entries come after the frame that the event led to.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300)))')
  return page.evaluate<number>('window.longest')
}

const PAGES: readonly (readonly [
  name: string,
  path: string,
  ready: string,
  suite: () => SiteSuite,
  uses: Readonly<Record<string, Use>>,
])[] = [
  [
    'leaderboard',
    'index.html',
    '.board-controls',
    () => ({ board: madeUpBoard(SIZE), runs: [] }),
    LEADERBOARD,
  ],
  ['compare', 'compare.html', '.forest-row', () => madeUpSite({ ...SIZE, instances: 20 }), COMPARE],
]

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

const browser = await launchChromium()
const assets = await readAssets()
for (const [name, path, ready, suite, all] of PAGES) {
  const uses = Object.entries(all).filter(([what]) => `${name}: ${what}`.includes(asked))
  if (uses.length === 0) continue
  const folder = mkdtempSync(join(tmpdir(), 'medmake-answering-'))
  const suites = [suite()]
  await emitSite(folder, { suites, assets, inputs: siteInputs(suites, assets), withoutInstances: true })
  for (const [what, use] of uses) {
    const found: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      await page.goto(pathToFileURL(join(folder, path)).href)
      await page.locator(ready).first().waitFor()
      found.push(await measured(page, use))
      await page.close()
    }
    const [least, most] = [Math.min(...found), Math.max(...found)]
    process.stdout.write(`${name}: ${what}: ${median(found)} ms (${least} to ${most})\n`)
  }
  rmSync(folder, { recursive: true })
}
await browser.close()
