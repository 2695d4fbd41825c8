import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { boardUncertainty } from '../../../../../targets/board/board-uncertainty.ts'
import { boardOfTask } from '../../../../../targets/board/board-tasks.ts'
import { openRanks } from '../../../../../targets/board/board-ranks.ts'
import { rangeText } from '../../../../../cache/words/number-text.ts'
import { madeUpBoard, madeUpValues } from '../../../../bench/made-up-board.ts'
import { chromiumPath } from '../../chromium.ts'
import { siteBrowser } from '../../site-browser.ts'

const board = madeUpBoard({ models: 40, benchmarks: 12 }, (run) => ({
  ...run,
  coverage: { ...run.coverage, measured: run.coverage.evaluated },
}))
const values = madeUpValues(board, 120)
const setOf = (...columns: readonly number[]): readonly string[] =>
  columns.map((at) => board.benchmarks[at]?.name ?? '')

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('a set of the reader’s own', () => {
  const { urls, open } = siteBrowser(() => [{ board, runs: [], values }])

  /** From now on: every headline that the page shows; work that gives way to the page waits until it is let go on. */
  const WATCH = `window.titles = []
    window.waiting = []
    const later = setTimeout
    // What awaits hands over is the browser's own code; the page's other timers run.
    const isWork = (act) => String(act).includes('[native code]')
    window.setTimeout = (act, wait, ...rest) =>
      window.waiting !== undefined && isWork(act) ? window.waiting.push(act) : later(act, wait, ...rest)
    new MutationObserver(() => titles.push(document.querySelector('h1').textContent)).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true })`
  const waiting = (page: Page, pieces: number): Promise<void> =>
    expect.poll(() => page.evaluate('window.waiting.length'), { timeout: 60_000 }).toBe(pieces)
  const choose = (page: Page, names: readonly string[]): Promise<unknown> =>
    page.evaluate(`location.hash = 'only=${names.join('+')}'`)
  const settled = (page: Page): Promise<unknown> =>
    page.locator('.verdict', { hasText: /^Take / }).waitFor({ timeout: 30_000 })

  test('is given up for another that is chosen meanwhile, which is ranked as the report would', async () => {
    const { page, faults, close } = await open(`${urls().disk}index.html`)
    await page.locator('.board-controls').waitFor()
    await page.evaluate(WATCH)
    await choose(page, setOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
    await page.locator('.verdict', { hasText: /^Testing/ }).waitFor()
    // Some of it is reckoned.
    await waiting(page, 1)
    await page.evaluate('window.former = window.waiting[0]')
    const wanted = setOf(1, 3, 6)
    await choose(page, wanted)
    await page.locator('.board-controls .status', { hasText: '40 models · 3 benchmarks' }).waitFor()
    await waiting(page, 2)
    await page.evaluate('[window.next, window.waiting] = [window.waiting[1], undefined]; window.next()')
    await settled(page)
    // Were it not given up, it would do another piece and wait again.
    await page.evaluate('window.waiting = []; window.former()')
    expect(await page.evaluate('new Promise((done) => setTimeout(() => done(window.waiting.length)))')).toBe(
      0,
    )
    const titles = await page.evaluate<readonly string[]>('window.titles')
    expect(titles.filter((title) => /11 benchmarks/.test(title) && /tied|by average/.test(title))).toEqual([])
    expect(titles.at(-1)).toMatch(/(?:tied for first|is first) on 3 benchmarks of made-up/)

    const part = boardOfTask(board, wanted)
    const ranks = boardUncertainty(part, values).map(({ rank }) => openRanks(rank))
    const shown = await page
      .locator('.board tbody tr[data-model]')
      .evaluateAll((rows) =>
        rows.map((row) => [row.dataset['model'], row.querySelector('.ranks')?.textContent ?? '']),
      )
    const expected = new Map(
      part.rows.map(({ model, place }, at) => {
        const open = ranks[at]
        return [model.deployment, open === undefined || place === null ? '' : rangeText(open)]
      }),
    )
    expect(shown.length).toBe(40)
    for (const [model, set] of shown) expect([model, set]).toEqual([model, expected.get(model ?? '')])
    expect(faults).toEqual([])
    await close()
  })
})
