import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { madeUpBoard } from '../../../../../tools/bench/made-up-board.ts'
import { chromiumPath } from '../../chromium.ts'
import { siteBrowser, tooWide, violations } from '../../site-browser.ts'
import { sketchSuite } from '../../sketch-site.ts'

const board = madeUpBoard({ models: 12, benchmarks: 10 })
const [best] = board.rows

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('the leaderboard in Chromium', () => {
  const { urls, open } = siteBrowser(() => [{ board, runs: [] }, sketchSuite()])

  const opened = async (hash = '', where: 'disk' | 'http' = 'disk', options = {}) => {
    const { page, faults, context } = await open(`${urls()[where]}index.html${hash}`, options)
    await page.locator('.status').waitFor()
    return { page, faults, context, close: () => context.close() }
  }

  const models = (page: Page): Promise<readonly string[]> =>
    page.locator('tbody .model-name').allTextContents()
  const heads = (page: Page): Promise<readonly string[]> =>
    page.locator('thead .column-name').allTextContents()
  const status = async (page: Page): Promise<string> => (await page.locator('.status').textContent()) ?? ''
  const hashOf = (page: Page): string => new URL(page.url()).hash

  for (const where of ['disk', 'http'] as const)
    test(`filters, from ${where}, by category, access, creator and weights, and says what is left`, async () => {
      const { page, faults, close } = await opened('', where)
      await page.getByLabel('Category').selectOption('Clinical Note Generation')
      expect((await heads(page)).slice(-2)).toEqual(['Benchmark 3', 'Benchmark 4'])
      await page.getByLabel('Data access').selectOption('private')
      expect((await heads(page)).slice(-1)).toEqual(['Benchmark 3'])
      await page.getByLabel('Creator').selectOption('Contoso')
      expect(new Set(await models(page))).toEqual(new Set(['Contoso Model 3', 'Contoso Model 9']))
      await page.getByLabel('Weights').selectOption('open')
      expect(await models(page)).toEqual([])
      expect(await status(page)).toContain('0 models on 1 benchmark, of 12 models on 10.')
      expect(hashOf(page)).toBe(
        '#category=Clinical+Note+Generation&access=private&creator=Contoso&weights=open',
      )
      await page.getByRole('button', { name: 'Show all' }).click()
      expect(hashOf(page)).toBe('')
      expect((await models(page)).length).toBe(12)
      expect(faults).toEqual([])
      await close()
    })

  test('a deep link restores filter, order, layout, numbers and columns', async () => {
    const { page, close } = await opened(
      '#sort=-benchmark_2&category=Clinical+Note+Generation&rows=benchmarks&numbers=brief&hide=cost+tokens',
    )
    expect(await page.getByLabel('Rows').inputValue()).toBe('benchmarks')
    expect(await page.getByLabel('Numbers').inputValue()).toBe('brief')
    expect(await page.getByRole('checkbox', { name: 'Cost' }).isChecked()).toBe(false)
    expect(await page.locator('tbody th.model .column-name').allTextContents()).toEqual([
      'Win rate',
      'Average',
      'Latency',
      'Benchmark 3',
      'Benchmark 4',
    ])
    const sorted = board.rows
      .toSorted((a, b) => (b.cells[2]?.value ?? 0) - (a.cells[2]?.value ?? 0))
      .map(({ label }) => label)
    expect((await page.locator('thead .model-name').allTextContents()).slice(0, 3)).toEqual(
      sorted.slice(0, 3),
    )
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
    expect(await page.locator('.score .detail').first().isVisible()).toBe(false)
    await close()
  })

  test('Back undoes what was chosen', async () => {
    const { page, close } = await opened()
    await page.getByRole('button', { name: 'Sort by Benchmark 1:' }).click()
    await page.getByLabel('Rows').selectOption('benchmarks')
    await page.goBack()
    expect(await page.getByLabel('Rows').inputValue()).toBe('models')
    expect(hashOf(page)).toBe('#sort=-benchmark_0')
    await page.goBack()
    expect(await page.locator('th[aria-sort]').count()).toBe(0)
    await close()
  })

  test('the skip link leaves the state in the address alone', async () => {
    const { page, close } = await opened('#weights=open')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    expect(hashOf(page)).toBe('#weights=open')
    await close()
  })

  test('every filter is set by keyboard alone', async () => {
    const { page, close } = await opened()
    await page.getByLabel('Weights').focus()
    await page.keyboard.press('ArrowDown')
    expect(hashOf(page)).toBe('#weights=closed')
    await page.getByRole('checkbox', { name: 'Cost' }).focus()
    await page.keyboard.press('Space')
    expect(await heads(page)).not.toContain('Cost')
    await close()
  })

  test('head and names stay in sight while the table scrolls', async () => {
    const { page, close } = await opened('', 'disk', { viewport: { width: 1000, height: 700 } })
    const scroller = page.locator('.table-scroll')
    await scroller.evaluate((each) => {
      each.style.scrollBehavior = 'auto'
      each.scrollTo(600, 500)
    })
    const box = await scroller.boundingBox()
    const head = await page.locator('thead').boundingBox()
    const name = await page.locator('tbody th.model').last().boundingBox()
    expect(Math.round((head?.y ?? 0) - (box?.y ?? 0))).toBeLessThanOrEqual(3)
    expect(Math.round((name?.x ?? 0) - (box?.x ?? 0))).toBe(0)
    await close()
  })

  for (const hash of ['', '#rows=benchmarks', '#numbers=brief&weights=open'])
    for (const colorScheme of ['light', 'dark'] as const)
      test(`axe finds nothing with ${hash || 'the defaults'} when it is ${colorScheme}`, async () => {
        const { page, close } = await opened(hash, 'disk', { colorScheme })
        expect(await violations(page)).toEqual([])
        await close()
      })

  for (const width of [320, 360, 3840])
    test(`fits a window of ${width} px in both layouts`, async () => {
      for (const hash of ['', '#rows=benchmarks']) {
        const { page, close } = await opened(hash, 'disk', { viewport: { width, height: 800 } })
        await page.locator('.filters').evaluate((each) => each.setAttribute('open', ''))
        expect(await tooWide(page)).toEqual([])
        await close()
      }
    })

  test('shows every number without JavaScript, and leads to the other suite', async () => {
    const { page, context } = await open(`${urls().disk}index.html`, { javaScriptEnabled: false })
    expect(await page.locator('tbody tr').count()).toBe(12)
    expect(await page.locator('select, button').count()).toBe(0)
    const first = (await page.locator('tbody tr').first().textContent()) ?? ''
    for (const { value } of best?.cells ?? []) expect(first).toContain((value ?? 0).toFixed(3))
    await page.getByRole('link', { name: 'demo' }).click()
    expect(await page.locator('h1').textContent()).toBe('demo')
    expect(await page.locator('tbody tr').count()).toBe(3)
    await context.close()
  })

  test('the figures need no script and hold their numbers as tables', async () => {
    const { page, faults, context } = await open(`${urls().disk}figures.html`, { javaScriptEnabled: false })
    expect(await page.locator('svg.drawing').count()).toBe(4)
    expect(await page.locator('#jury .missing').count()).toBe(1)
    const rows = await page.locator('#ranks tbody tr').count()
    expect(rows).toBe(12)
    expect(await page.locator('#ranks svg .dot').count()).toBe(12)
    expect(faults).toEqual([])
    await context.close()
  })
})
