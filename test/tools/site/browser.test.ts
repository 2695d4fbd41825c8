import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { chromiumPath } from './chromium.ts'
import { expectToFit, siteBrowser, unreached } from './site-browser.ts'
import { violations } from './violations.ts'
import { richSuite } from './rich-suite.ts'
import { SECRET } from './sketch-site.ts'

/** Pages that show instances once they are loaded. */
const WITH_INSTANCES: ReadonlySet<string> = new Set([
  'public run',
  'failed run',
  'unknown instance',
  'compare',
])

/** At 360, by http, nothing is laid out otherwise than at 320. */
const WIDTHS = [320, 1920, 3840, 1280] as const

test('dark is other colours and nothing else: what fits in one theme fits in the other', () => {
  const folder = join(packageRoot(), 'tools')
  const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:css|tsx?)$/.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
  const dark = sheets.flatMap((text) => text.split(/prefers-color-scheme|light-dark\(/).slice(1))
  expect(dark).toHaveLength(1)
  const [, block] = /^: dark\) \{\s+:root \{([^{}]*)\}\s+\}\s*$/.exec(dark[0] ?? '') ?? []
  const lines = (block ?? '').trim().split(/\n\s*/)
  expect(lines.length).toBeGreaterThan(15)
  for (const line of lines.filter((each) => each !== ''))
    expect(line).toMatch(/^--[a-z0-9-]+: #[0-9a-f]{6};$/)
})

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('the site in Chromium', () => {
  const { urls, folder, open } = siteBrowser(() => [richSuite()])

  const pageOf = (kind: 'runs' | 'benchmarks' | 'model', part: string): string => {
    const name = readdirSync(join(folder(), kind)).find(
      (file) => file.includes(part) && file.endsWith('.html'),
    )
    return `${kind}/${name ?? `no ${part}`}`
  }

  const PAGES: readonly (readonly [name: string, path: () => string])[] = [
    ['index', () => 'index.html'],
    ['index without a match', () => 'index.html#q=nobody'],
    ['index with details', () => 'index.html#at=m%2Fa+win'],
    ['figures', () => 'figures.html'],
    ['models', () => 'models.html'],
    ['model', () => pageOf('model', 'm-a')],
    ['compare', () => 'compare.html'],
    ['compare of a model that is not there', () => 'compare.html#a=nobody'],
    ['judges', () => 'judges.html'],
    ['releases', () => 'releases.html'],
    ['taxonomy', () => 'taxonomy.html'],
    ['release notes', () => 'release.html'],
    ['public benchmark', () => pageOf('benchmarks', 'bench')],
    ['private benchmark', () => pageOf('benchmarks', 'private')],
    ['public run', () => pageOf('runs', 'bench-model-m_a')],
    ['private run', () => pageOf('runs', 'private')],
    ['failed run', () => pageOf('runs', 'bench-model-m_c')],
    ['unknown instance', () => `${pageOf('runs', 'bench-model-m_a')}#instance=nobody`],
  ]

  const instancesShown = (page: Page): Promise<unknown> => page.waitForSelector('.instance')
  // The same file as another page's, or one of the same kind.
  const FROM_DISK_ALONE = / without | with | not there$|unknown|private|failed/
  // From disk and below a path of a server, at every width, in both themes, of which the layout knows nothing.
  for (const [name, path] of PAGES)
    for (const [where, theme, other, widths] of [
      ['disk', 'light', 'dark', WIDTHS],
      ['http', 'dark', 'light', [360]],
    ] as const) {
      if (where === 'http' && FROM_DISK_ALONE.test(name)) continue
      test(`the ${name} page is sound from ${where}: axe, widths, keys, faults, requests`, async () => {
        const { page, faults, close } = await open(urls()[where] + path(), { colorScheme: theme })
        if (WITH_INSTANCES.has(name)) await instancesShown(page)
        expect(await page.title()).not.toBe('')
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
        for (const width of widths) await expectToFit(page, width, theme)
        // At the last of them.
        expect(await violations(page), theme).toEqual([])
        await page.emulateMedia({ colorScheme: other })
        expect(await violations(page), other).toEqual([])
        expect(await unreached(page)).toEqual([])
        expect(await page.evaluate('window.hacked')).toBeUndefined()
        expect(faults).toEqual([])
        await close()
      })
    }

  const models = (page: Page): Promise<readonly string[]> =>
    page
      .locator('.board .model-name')
      .evaluateAll((cells) => cells.map((cell) => cell.textContent.slice(0, 3)))

  test('the leaderboard can be read, links and all, without JavaScript', async () => {
    const { page, close } = await open(`${urls().disk}index.html`, { javaScriptEnabled: false })
    expect(await page.locator('.board tbody tr').count()).toBe(3)
    expect(await page.locator('button').count()).toBe(0)
    await page.locator('.all-scores summary').click()
    await page.locator('.scores tbody td a').first().click()
    expect(await page.locator('h1').textContent()).toContain(' on ')
    await close()
  })

  test('whoever takes everything back by keyboard goes on at the search, not at the top of the page', async () => {
    const { page, close } = await open(`${urls().disk}index.html#q=m%2Fa`)
    await page.getByRole('button', { name: 'Reset' }).press('Enter')
    expect(await models(page)).toHaveLength(3)
    expect(await page.evaluate('document.activeElement.type')).toBe('search')
    await close()
  })

  test('a table that is scrolled sideways on a phone keeps its names in sight', async () => {
    const { page, close } = await open(`${urls().disk}models.html`)
    await page.setViewportSize({ width: 390, height: 700 })
    await page.evaluate(
      'document.querySelector(".table-scroll").scrollTo({ left: 150, behavior: "instant" })',
    )
    const [region, name, next] = await page.evaluate<readonly number[]>(
      '[".table-scroll", ".data tbody th", ".data tbody td"].map((each) => document.querySelector(each).getBoundingClientRect().left)',
    )
    expect(name).toBeCloseTo(region ?? -1, 0)
    expect(next).toBeLessThan((region ?? 0) + 150)
    await close()
  })

  test('the leaderboard sorts by keyboard, both ways, and says so', async () => {
    const { page, close } = await open(`${urls().disk}index.html`)
    const name = page.getByRole('button', { name: 'Sort by Model' })
    await name.focus()
    await page.keyboard.press('Enter')
    expect(await models(page)).toEqual(['m/a', 'm/b', 'm/c'])
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('ascending')
    await page.keyboard.press('Space')
    expect(await models(page)).toEqual(['m/c', 'm/b', 'm/a'])
    expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
    const score = page.getByRole('button', { name: 'Sort by private notes' })
    await score.focus()
    await page.keyboard.press('Enter')
    expect((await models(page)).at(0)).toBe('m/b')
    await close()
  })

  test('every page can be read without JavaScript, and promises nothing that takes it', async () => {
    for (const [name, path] of PAGES) {
      // Nobody reads it then.
      if (path().includes('#')) continue
      const { page, faults, close } = await open(urls().disk + path(), { javaScriptEnabled: false })
      expect(await page.locator('h1').count(), name).toBe(1)
      expect(await page.locator('button, select, input').count(), name).toBe(0)
      expect(((await page.locator('main').innerText()) || '').length, name).toBeGreaterThan(80)
      expect(faults, name).toEqual([])
      await close()
    }
  })

  test('a page whose data cannot be had says so on phone and screen, and keeps what it holds', async () => {
    const { page, close } = await open(`${urls().http}judges.html`)
    await page.route(/\/data\/|\/runs\/[^/]+\//, (route) => route.abort())
    for (const [path, said, kept] of [
      ['index.html', 'Nothing can be chosen here: ', '.board tbody tr'],
      ['figures.html', 'Nothing can be chosen here: ', 'main table'],
      ['compare.html', 'Nothing can be chosen here: ', 'main a'],
      [pageOf('runs', 'bench-model-m_a'), 'The instances could not be loaded: the folder ', '.facts'],
    ] as const) {
      await page.goto(`${urls().http}${path}`)
      await page.getByText(said).waitFor()
      expect(await page.locator(kept).count(), path).toBeGreaterThan(0)
      for (const width of [320, 1280]) await expectToFit(page, width, path)
      expect(await violations(page), path).toEqual([])
    }
    await page.unrouteAll()
    await close()
  })

  test('hostile text stays text', async () => {
    const { page, close } = await open(urls().disk + pageOf('runs', 'bench-model-m_a'))
    await instancesShown(page)
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.locator('.instance-list tbody tr').count()).toBe(45)
    const text = (await page.locator('.instance .verbatim').first().textContent()) ?? ''
    expect(text).toContain('</pre></script><script>window.hacked = true</script>')
    expect(text).toContain('⟨U+202E⟩right to left')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    await close()
  })

  test('a line of a megabyte is cut, and shown whole when asked', async () => {
    const { page, faults, close } = await open(urls().disk + pageOf('runs', 'bench-model-m_a'))
    await instancesShown(page)
    const first = page.locator('.instance .part').last()
    await first.getByRole('button', { name: 'Show all' }).click()
    await first.getByRole('button').waitFor({ state: 'detached' })
    expect((await first.locator('.verbatim').textContent())?.length).toBe(1_040_000)
    expect(await page.evaluate('document.activeElement.textContent.length')).toBe(1_040_000)
    expect(faults).toEqual([])
    await close()
  })

  test('pages of private benchmarks hold no text of an instance', async () => {
    for (const path of [pageOf('benchmarks', 'private'), pageOf('runs', 'private')]) {
      const { page, close } = await open(urls().disk + path)
      const content = await page.content()
      expect(content).not.toContain(SECRET)
      expect(content).not.toContain('Question')
      await close()
    }
  })

  test('two models are chosen by keyboard, compared over all benchmarks, and found again by the address', async () => {
    const { page, faults, close } = await open(`${urls().disk}compare.html`)
    await page.locator('.forest-row').first().waitFor()
    expect(await page.locator('.forest-row').count()).toBe(2)
    const names = await page.locator('.forest-row title').allTextContents()
    expect(names.toSorted()).toEqual([
      'bench: −50.0 (−85.0 to +23.5), n 4; 2 for A, 2 tied, 0 for B; no difference found',
      expect.stringContaining('not measured in full, decides nothing'),
    ])
    await page.getByLabel('Model B').focus()
    await page.keyboard.press('ArrowDown')
    await page.getByText('There is no').waitFor({ state: 'detached' })
    await page.waitForURL(/m%2Fc/)
    await page.reload()
    await page.locator('.forest-row').first().waitFor()
    expect(await page.getByLabel('Model B').inputValue()).toBe('m/c')
    await page.goto(`${urls().disk}compare.html#a=nobody&order=x&show=y&task=z&page=0&q=1`)
    await page.getByText('There is no model nobody here.').waitFor()
    for (const name of ['order x', 'choice y', 'task z', 'page 0'])
      await page.getByText(`There is no ${name} here.`).waitFor()
    await page.getByText('The address asks for q, which this page does not know.').waitFor()
    expect(faults).toEqual([])
    await close()
  })
})
