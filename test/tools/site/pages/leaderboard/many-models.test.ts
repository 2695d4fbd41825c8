import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'
import { chromiumPath } from '../../chromium.ts'
import { siteBrowser } from '../../site-browser.ts'
import { violations } from '../../violations.ts'

const MODELS = 100
const ARABIC = 'نموذج طبي كبير جدا للغة العربية وله اسم أطول من العمود الذي يقف فيه'

const made = madeUpBoard({ models: MODELS, benchmarks: 40 })
const board = { ...made, rows: made.rows.map((row, at) => (at === 2 ? { ...row, label: ARABIC } : row)) }

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('a leaderboard of 100 models on 40 benchmarks', () => {
  const { urls, open } = siteBrowser(() => [{ board, runs: [] }])

  const opened = async (hash = '') => {
    const all = await open(`${urls().disk}index.html${hash}`, {
      viewport: { width: 1280, height: 800 },
    })
    await all.page.locator('.board-controls').waitFor()
    return all
  }
  const rows = (page: Page) => page.locator('.board tbody tr[data-model]')
  const last = (page: Page): Promise<void> =>
    page.locator(`.board tr[aria-rowindex="${MODELS + 1}"]`).waitFor()

  test('draws the rows in sight, says how many there are, and keeps its place', async () => {
    const { page, faults, close } = await opened()
    expect(await rows(page).count()).toBeLessThanOrEqual(60)
    expect(await page.locator('.board').getAttribute('aria-rowcount')).toBe(String(MODELS + 1))
    const scroller = page.locator('.board-scroll')
    const height = await scroller.evaluate((each) => each.scrollHeight)
    expect(height).toBeGreaterThan(MODELS * 27)
    const [head, top] = await Promise.all([
      page.locator('.board thead').boundingBox(),
      rows(page).first().boundingBox(),
    ])
    expect(Math.abs((top?.y ?? NaN) - (head?.y ?? NaN) - (head?.height ?? NaN))).toBeLessThan(2)
    const column = await page.locator('.board thead .win').boundingBox()
    await scroller.evaluate((each) => each.scrollTo({ top: each.scrollHeight, behavior: 'instant' }))
    await last(page)
    expect(await scroller.evaluate((each) => each.scrollHeight)).toBe(height)
    // Names differ in more than their number of letters.
    const moved = ((await page.locator('.board thead .win').boundingBox())?.x ?? NaN) - (column?.x ?? NaN)
    expect(Math.abs(moved)).toBeLessThanOrEqual(8)
    expect(faults).toEqual([])
    // Its 4,000 cells are of the form of other boards'.
    await page.evaluate('document.querySelector(".all-scores").remove()')
    expect(await violations(page)).toEqual([])
    await close()
  })

  test('leaves room for every row on a phone, too', async () => {
    const { page, close } = await opened()
    await page.setViewportSize({ width: 360, height: 740 })
    const scroller = page.locator('.board-scroll')
    const row = await rows(page)
      .first()
      .evaluate((each) => each.getBoundingClientRect().height)
    await expect.poll(() => scroller.evaluate((each) => each.scrollHeight)).toBeGreaterThan(row * MODELS)
    await scroller.evaluate((each) => each.scrollTo({ top: each.scrollHeight, behavior: 'instant' }))
    await last(page)
    await close()
  })

  test('cuts a name at its own end, from whichever side it is read', async () => {
    const { page, close } = await opened()
    for (const [of, side] of [
      [rows(page).filter({ hasText: ARABIC }), 'right'],
      [rows(page).first(), 'left'],
    ] as const)
      expect(
        await of.locator('.model-name').evaluate((name, edge) => {
          const first = document.createRange()
          first.setStart(name.firstChild ?? name, 0)
          first.setEnd(name.firstChild ?? name, 1)
          return Math.abs(first.getBoundingClientRect()[edge] - name.getBoundingClientRect()[edge])
        }, side),
        side,
      ).toBeLessThan(4)
    const name = rows(page).filter({ hasText: ARABIC }).locator('.model-name')
    expect(await name.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true)
    await close()
  })

  /** Keys that come one after the other before the page draws anything, as a busy machine hands them over. */
  const pressed = (page: Page, key: string, times: number): Promise<unknown> =>
    page.evaluate(`for (let press = 0; press < ${times}; press += 1)
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }))`)
  /** The row of the cell that has the focus, and whether that cell can be seen: it, and nothing over its middle. */
  const focused = (page: Page): Promise<unknown> =>
    page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))).then(() => {
      const cell = document.activeElement
      const { left, top, width, height } = cell.getBoundingClientRect()
      const there = document.elementFromPoint(left + Math.min(width, 8) / 2, top + height / 2)
      return [cell.closest('tr')?.ariaRowIndex, cell.contains(there)]
    })`)

  test('its keys reach every row and cell, however fast, and keep it in sight', async () => {
    const { page, close } = await opened()
    await page.locator('.board tbody [tabindex="0"]').focus()
    for (const [key, times, row] of [
      ['PageDown', 4, 42],
      ['ArrowDown', 30, 72],
      ['PageDown', 3, 101],
      ['PageUp', 9, 11],
      ['PageDown', 9, 101],
      ['ArrowUp', 31, 70],
      ['End', 1, 70],
      ['ArrowLeft', 25, 70],
      ['PageUp', 8, 2],
    ] as const) {
      await pressed(page, key, times)
      const told = { message: `${key} ${times} times`, timeout: 10_000 }
      await expect.poll(() => focused(page), told).toEqual([String(row), true])
    }
    await close()
  })

  test('goes on by keys after the row that had the focus was scrolled far away', async () => {
    const { page, close } = await opened()
    await page.locator('.board tbody [tabindex="0"]').focus()
    const scroller = page.locator('.board-scroll')
    await scroller.evaluate((each) => each.scrollTo({ top: each.scrollHeight, behavior: 'instant' }))
    await last(page)
    await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('board-scroll')
    await page.keyboard.press('Home')
    await expect.poll(() => scroller.evaluate((each) => each.scrollTop)).toBe(0)
    await close()
  })

  test('prints every row, on as many pages as they take', async () => {
    const { page, close } = await opened('#task=Clinical+Note+Generation')
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page[^s]/g)?.length).toBe(3)
    await page.emulateMedia({ media: 'print' })
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    expect(await rows(page).count()).toBe(MODELS)
    // Of buttons nothing would stand in the heads of further pages.
    expect(
      await page
        .locator('.board thead button.sort')
        .first()
        .evaluate((each) => getComputedStyle(each).display),
    ).toBe('contents')
    await page.evaluate('dispatchEvent(new Event("afterprint"))')
    expect(await rows(page).count()).toBeLessThanOrEqual(MODELS)
    await close()
  })
})
