import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'
import { chromiumPath } from '../../chromium.ts'
import { siteBrowser, violations } from '../../site-browser.ts'

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

  test('its keys reach every row', async () => {
    const { page, close } = await opened()
    await page.locator('.board tbody [tabindex="0"]').focus()
    const at = (): Promise<unknown> => page.evaluate('document.activeElement.closest("tr")?.ariaRowIndex')
    for (let press = 0; press < MODELS && (await at()) !== String(MODELS + 1); press += 1)
      await page.keyboard.press('PageDown')
    expect(await at()).toBe(String(MODELS + 1))
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
