import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'
import { chromiumPath } from '../../chromium.ts'
import { siteBrowser, tooWide } from '../../site-browser.ts'
import { violations } from '../../violations.ts'
import { sketchSuite } from '../../sketch-site.ts'

const board = madeUpBoard({ models: 16, benchmarks: 12 })
const [best] = board.rows
const FIRST_VIEW = { viewport: { width: 1280, height: 800 } }

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('the leaderboard in Chromium', () => {
  const { urls, open, folder } = siteBrowser(() => [{ board, runs: [] }, sketchSuite()])

  const opened = async (hash = '', where: 'disk' | 'http' = 'disk', options = {}) => {
    const all = await open(`${urls()[where]}index.html${hash}`, options)
    await all.page.locator('.board-controls').waitFor()
    return all
  }

  const models = (page: Page): Promise<readonly string[]> =>
    page.locator('.board .model-name').allTextContents()
  const hashOf = (page: Page): string => new URL(page.url()).hash

  test('shows at least 15 models at first sight, a line of at most 32 px each', async () => {
    const { page, close } = await opened('', 'disk', FIRST_VIEW)
    const rows = await page
      .locator('.board tbody tr')
      .evaluateAll((all) =>
        all.map((row) => row.getBoundingClientRect()).map(({ bottom, height }) => ({ bottom, height })),
      )
    expect(rows.filter(({ bottom }) => bottom <= 800).length).toBeGreaterThanOrEqual(15)
    for (const { height } of rows) expect(height).toBeLessThanOrEqual(32)
    await close()
  })

  test('opens all benchmarks where there is room for them, and folds them again where there is not', async () => {
    const { page, close } = await opened('', 'disk', { viewport: { width: 3840, height: 900 } })
    const shown = page.locator('.board thead .benchmark')
    expect(await shown.count()).toBe(12)
    const unfold = page.getByRole('button', { name: 'Benchmarks of Clinical Note Generation' })
    // A sign before the number would be read as a change of the scores below it.
    expect(await unfold.textContent()).toMatch(/^▾ \d+$/)
    await unfold.click()
    expect(await unfold.textContent()).toMatch(/^▸ \d+$/)
    expect(await shown.count()).toBeLessThan(12)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.setViewportSize({ width: 1920, height: 900 })
    await expect.poll(() => shown.count()).toBe(0)
    await close()
  })

  test('does not scroll sideways in a window of 1280 px for the benchmarks that it opens at first', async () => {
    for (const asked of ['#task=Clinical+Decision+Support', '#task=Clinical+Note+Generation', '']) {
      const { page, close } = await opened(asked, 'disk', FIRST_VIEW)
      const scroller = page.locator('.board-scroll')
      expect(await scroller.evaluate((each) => each.scrollWidth - each.clientWidth), asked).toBe(0)
      await close()
    }
  })

  for (const where of ['disk', 'http'] as const)
    test(`chooses a task, filters and finds, from ${where}, and the address keeps it`, async () => {
      const { page, faults, close } = await opened('', where)
      await page.getByRole('combobox', { name: 'Task' }).selectOption('Clinical Note Generation')
      expect(await page.locator('.board thead .category').count()).toBe(1)
      expect(await page.locator('h1').textContent()).toContain('Clinical Note Generation')
      await page.getByLabel('Weights').selectOption('open')
      await page.getByLabel('Search models').fill('model 1')
      expect(await page.locator('.board-controls .status').textContent()).toContain(
        '4 of 16 models, places among all · 2 benchmarks',
      )
      expect(hashOf(page)).toBe('#task=Clinical+Note+Generation&q=model+1&weights=open')
      await page.getByLabel('$').fill('0.01')
      await page.keyboard.press('Enter')
      expect(hashOf(page)).toContain('usd=0.01')
      expect(await page.locator('.no-match').count()).toBe(1)
      expect(await page.locator('.verdict').textContent()).toContain('No model meets these limits.')
      await page.getByLabel('$').fill('')
      await page.getByLabel('Search models').fill('nobody')
      expect(await page.locator('.no-match').count()).toBe(1)
      await page.getByRole('button', { name: 'Reset' }).click()
      expect(hashOf(page)).toBe('')
      expect((await models(page)).length).toBe(16)
      expect(faults).toEqual([])
      await close()
    })

  test('a deep link restores task, order, open categories, pins and details', async () => {
    const last = board.rows.at(-1)
    const key = encodeURIComponent(last?.model.deployment ?? '')
    const { page, close } = await opened(
      `#sort=-benchmark:benchmark_1&open=Clinical+Decision+Support&pin=${key}&at=${key}+benchmark:benchmark_0`,
    )
    expect((await models(page))[0]).toBe(last?.label)
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
    expect(await page.locator('.board thead .benchmark').count()).toBe(3)
    expect(await page.locator('.panel h2').textContent()).toBe(`${last?.label} on Benchmark 1`)
    expect(await page.locator('.panel dd').first().textContent()).toBe(last?.cells[0]?.value?.toFixed(3))
    await close()
  })

  test('Back undoes what was chosen', async () => {
    const { page, close } = await opened()
    await page.getByRole('button', { name: 'Sort by Model' }).click()
    await page.getByRole('button', { name: 'Benchmarks of Clinical Note Generation' }).click()
    expect(await page.locator('.board thead .benchmark').count()).toBeGreaterThan(1)
    await page.goBack()
    expect(await page.locator('.board thead .benchmark').count()).toBe(0)
    expect(hashOf(page)).toBe('#sort=model')
    await page.goBack()
    expect(await page.locator('th[aria-sort]').count()).toBe(0)
    await close()
  })

  test('any set of benchmarks is compared, and orders the models by it', async () => {
    const { page, close } = await opened('#only=benchmark_0+benchmark_3')
    expect(await page.locator('.board-controls .status').textContent()).toMatch(
      /^16 models · 2 benchmarks of 30 to 1\s000 answers$/,
    )
    await page.locator('.benchmark-choice summary').click()
    await page.getByRole('checkbox', { name: 'Benchmark 5' }).check()
    expect(hashOf(page)).toBe('#only=benchmark_0+benchmark_3+benchmark_4')
    const rates = await page.locator('.board .win-value').allTextContents()
    expect(rates.length).toBe(16)
    await close()
  })

  test('is one stop of the tab key; arrows, Enter, p, / and Escape do the rest', async () => {
    const { page, close } = await opened()
    const stops = await page.locator('.board tbody [data-cell]:not([tabindex="-1"])').count()
    expect(stops).toBe(1)
    await page.locator('.board tbody [tabindex="0"]').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    const second = (await models(page))[1] ?? ''
    expect(await page.locator('.panel h2').textContent()).toBe(second)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H2')
    await page.keyboard.press('Escape')
    expect(await page.locator('.panel').count()).toBe(0)
    expect(await page.evaluate('document.activeElement.closest("tr").dataset.model')).toBe(
      board.rows.find(({ label }) => label === second)?.model.deployment,
    )
    await page.keyboard.press('p')
    expect((await models(page))[0]).toBe(second)
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.type')).toBe('search')
    await close()
  })

  test('a touch shows a cell’s details', async () => {
    const { page, close } = await opened('', 'disk', {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
    })
    await page.locator('.board tbody .win button').first().tap()
    expect(await page.locator('.panel h2').textContent()).toBe((await models(page))[0])
    await page.getByRole('button', { name: 'Pin', exact: true }).tap()
    expect(hashOf(page)).toContain('pin=')
    expect(await tooWide(page)).toEqual([])
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

  test('head, place and names stay in sight while the table scrolls', async () => {
    const { page, close } = await opened('', 'disk', { viewport: { width: 700, height: 420 } })
    const scroller = page.locator('.board-scroll')
    await scroller.evaluate((each) => {
      each.style.scrollBehavior = 'auto'
      each.scrollTo(400, 300)
    })
    const box = await scroller.boundingBox()
    const head = await page.locator('.board thead .model').boundingBox()
    const name = await page.locator('.board tbody th.model').last().boundingBox()
    const place = await page.locator('.board tbody td.place').last().boundingBox()
    expect(Math.round((head?.y ?? 0) - (box?.y ?? 0))).toBe(0)
    expect(Math.round((place?.x ?? 0) - (box?.x ?? 0))).toBeLessThanOrEqual(30)
    expect(Math.round((name?.x ?? 0) - (box?.x ?? 0))).toBeLessThanOrEqual(110)
    await close()
  })

  const cell = `#at=${encodeURIComponent(best?.model.deployment ?? '')}+win`
  for (const hash of ['', '#open=Clinical+Decision+Support', cell])
    test(`axe finds nothing with ${hash || 'the defaults'}, light or dark`, async () => {
      const { page, close } = await opened(hash, 'disk', { colorScheme: 'light' })
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
      expect(await violations(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await violations(page), 'dark').toEqual([])
      await close()
    })

  for (const width of [320, 768, 3840])
    test(`fits a window of ${width} px, details and all`, async () => {
      const { page, close } = await opened(cell, 'disk', { viewport: { width, height: 800 } })
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
      expect(await tooWide(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await close()
    })

  test('prints on one A4 page across', async () => {
    const { page, close } = await opened()
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
    expect(pdf.match(/\/Type\s*\/Page[^s]/g)?.length).toBe(1)
    expect(/\/MediaBox\s*\[0 0 84[12]/.test(pdf)).toBe(true)
    const ink = (): Promise<string> => page.evaluate<string>('getComputedStyle(document.body).color')
    const light = await ink()
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ink()).not.toBe(light)
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
    expect(await ink()).toBe(light)
    await page.emulateMedia({ colorScheme: 'light', media: null })
    await close()
  })

  test('shows every number without JavaScript, and leads to the other suite', async () => {
    const { page, close } = await open(`${urls().disk}index.html`, { javaScriptEnabled: false })
    expect(await page.locator('.board tbody tr').count()).toBe(16)
    expect(await page.locator('select, button').count()).toBe(0)
    const first = (await page.locator('.scores tbody tr').first().textContent()) ?? ''
    for (const { value } of best?.cells ?? []) expect(first).toContain((value ?? 0).toFixed(3))
    await page.getByRole('link', { name: 'demo', exact: true }).click()
    expect(await page.locator('h1').textContent()).toContain('demo')
    expect(await page.locator('.board tbody tr').count()).toBe(3)
    await close()
  })

  test('its downloads hold every score with all digits', async () => {
    const { page, close } = await opened()
    const path = await page.getByRole('link', { name: 'JSON' }).first().getAttribute('href')
    const rows = JSON.parse(readFileSync(join(folder(), path ?? ''), 'utf8')) as readonly Record<
      string,
      unknown
    >[]
    expect(
      rows.map(({ deployment, benchmark, value, low, n }) => [deployment, benchmark, value, low, n]),
    ).toEqual(
      board.rows.flatMap(({ model, cells }) =>
        cells.map(({ value, interval, n }, at) => [
          model.deployment,
          board.benchmarks[at]?.name,
          value,
          interval?.low ?? null,
          n,
        ]),
      ),
    )
    const csv = readFileSync(join(folder(), (path ?? '').replace('.json', '.csv')), 'utf8').split('\r\n')
    expect(csv.length).toBe(16 * 12 + 2)
    expect(csv[1]).toContain(String(best?.cells[0]?.interval?.low))
    await close()
  })

  test('the board says what its address names and it lacks, until that is reset', async () => {
    const { page, faults, close } = await opened(
      '#task=Astrology&pin=nobody&usd=abc&hosting=moon&access=none&weights=x&show=all',
    )
    expect(await page.locator('p.warning').allTextContents()).toEqual([
      'There is no task Astrology here.',
      'There is no data access none here.',
      'abc is not a number that can be a limit: it is none.',
      'There is no hosting moon here.',
      'There is no model nobody here.',
      'There are no weights x here.',
      'The address asks for show, which this page does not know.',
    ])
    // What nobody has filters nothing.
    expect(await page.locator('.board tbody tr').count()).toBeGreaterThan(10)
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Reset' }).click()
    expect(await page.locator('p.warning').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('the figures take axis and task from the address, keep them there, and say what they lack', async () => {
    const { page, faults, close } = await open(`${urls().disk}figures.html#x=tokens`, {})
    const [axis, task] = ['Across', 'Up: win rate on'].map((name) => page.getByRole('combobox', { name }))
    const title = page.locator('#front svg.drawing')
    await expect.poll(() => axis?.inputValue()).toBe('tokens')
    expect(await title.getAttribute('aria-label')).toContain('okens')
    await task?.selectOption('Clinical Note Generation')
    await axis?.selectOption('cost')
    expect(new URLSearchParams(hashOf(page).slice(1)).get('task')).toBe('Clinical Note Generation')
    await page.goBack()
    expect([await axis?.inputValue(), await task?.inputValue()]).toEqual([
      'tokens',
      'Clinical Note Generation',
    ])
    await page.evaluate("location.hash = '#x=weight&task=Astrology'")
    await expect
      .poll(() => page.locator('p.warning').allTextContents())
      .toEqual(['There is no axis weight here.', 'There is no task Astrology here.'])
    expect(faults).toEqual([])
    await close()
  })

  test('the figures need no script and hold their numbers as tables', async () => {
    const { page, faults, close } = await open(`${urls().disk}figures.html`, { javaScriptEnabled: false })
    expect(await page.locator('svg.drawing').count()).toBe(1)
    for (const figure of ['front', 'ranks', 'categories', 'scores'])
      expect(await page.locator(`#${figure} tbody tr`).count()).toBeGreaterThan(0)
    const rows = await page.locator('#ranks tbody tr').count()
    expect(rows).toBe(16)
    expect(await page.locator('#ranks svg .dot').count()).toBe(
      board.rows.filter(({ place }) => place !== null).length,
    )
    expect(faults).toEqual([])
    await close()
  })
})
