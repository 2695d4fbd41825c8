import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { textWidth } from '../../../../../tools/site/components/plot/text-width.ts'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'
import { chromiumPath } from '../../chromium.ts'
import { siteBrowser } from '../../site-browser.ts'
import { ODD_NAMES } from './odd-names.ts'

const made = madeUpBoard({ models: 9, benchmarks: 12 })
const board = {
  ...made,
  rows: made.rows.map((row, at) => ({ ...row, label: ODD_NAMES[at] ?? row.label })),
}

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('the figures in Chromium', () => {
  const { urls, open } = siteBrowser(() => [{ board, runs: [] }])

  const told = (page: Page): Promise<string | null> => page.locator('.figure-told').textContent()

  test('a first touch of a point tells what it is, the next one leads to its model', async () => {
    const { page, faults, close } = await open(`${urls().disk}figures.html`, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    })
    await page.locator('#front .controls').waitFor()
    const points = page.locator('#front .point .hit')
    const [one, other] = [points.last(), points.first()]
    await one.tap()
    const first = await told(page)
    expect(first).toContain(': win rate ')
    await other.tap()
    expect(await told(page)).not.toBe(first)
    expect(page.url()).toContain('figures.html')
    await other.tap()
    await page.waitForURL(/\/model\//)
    expect(faults).toEqual([])
    await close()
  })

  test('a click leads to the model at once', async () => {
    const { page, close } = await open(`${urls().disk}figures.html`)
    await page.locator('#front .controls').waitFor()
    await page.locator('#front .point .hit').last().click()
    await page.waitForURL(/\/model\//)
    await close()
  })

  test('no label is wider than the room that was kept for it', async () => {
    const { page, close } = await open(`${urls().disk}figures.html`)
    await page.locator('#front .controls').waitFor()
    const labels = await page
      .locator('#front .point text')
      .evaluateAll((all) =>
        all.map((text) => [text.textContent, text.getBoundingClientRect().width] as const),
      )
    expect(labels.length).toBeGreaterThan(6)
    for (const [text, width] of labels) expect(textWidth(text), text).toBeGreaterThanOrEqual(width)
    await close()
  })
})
