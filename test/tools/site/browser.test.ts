import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAssets } from '../../../tools/site/assets.ts'
import { CONTENT_POLICY } from '../../../tools/site/document.tsx'
import { emitSite } from '../../../tools/site/emit.ts'
import { createSiteServer } from '../../../tools/site/server.ts'
import { siteInputs } from '../../../tools/site/site-inputs.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { chromiumPath, launchChromium } from './chromium.ts'
import { SECRET, sketchSuite } from './sketch-site.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Faults of accessibility that axe finds on a page, by WCAG 2.2 AA and axe's own best practices. */
const violations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe)
  const found = await page.evaluate<{ readonly violations: readonly Violation[] }>(
    'axe.run(document, { resultTypes: ["violations"] })',
  )
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('the site in Chromium', () => {
  let browser: Browser
  let folder: string
  let fileUrl: string
  let httpUrl: string
  const servers: ReturnType<typeof createSiteServer>[] = []

  beforeAll(async () => {
    folder = temporaryFolder()
    const [suites, assets] = [[sketchSuite()], await readAssets()]
    await emitSite(folder, { suites, assets, inputs: siteInputs(suites, assets) })
    fileUrl = pathToFileURL(`${folder}/`).href
    const server = createSiteServer([{ prefix: '/deep/down/', folder, policy: CONTENT_POLICY }], '127.0.0.1')
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    servers.push(server)
    httpUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/deep/down/`
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser.close()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })

  const pageOf = (kind: 'runs' | 'benchmarks', part: string): string => {
    const name = readdirSync(join(folder, kind)).find((file) => file.includes(part) && file.endsWith('.html'))
    return `${kind}/${name ?? `no ${part}`}`
  }

  const PAGES: readonly (readonly [name: string, path: () => string])[] = [
    ['index', () => 'index.html'],
    ['public benchmark', () => pageOf('benchmarks', 'bench')],
    ['private benchmark', () => pageOf('benchmarks', 'private')],
    ['public run', () => pageOf('runs', 'bench-model-m_a')],
    ['private run', () => pageOf('runs', 'private')],
    ['failed run', () => pageOf('runs', 'bench-model-m_c')],
  ]

  /** Opens a page and keeps what it complains of and what it asks for elsewhere. */
  const open = async (
    url: string,
    options: BrowserContextOptions = {},
  ): Promise<{
    readonly page: Page
    readonly faults: string[]
    readonly context: BrowserContext
  }> => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`))
    page.on('request', (request) => {
      const asked = request.url()
      if (!asked.startsWith(fileUrl) && !asked.startsWith(httpUrl) && asked !== 'data:,')
        faults.push(`asked: ${asked}`)
    })
    await page.goto(url)
    return { page, faults, context }
  }

  const instancesShown = (page: Page): Promise<unknown> => page.waitForSelector('.instance')

  for (const [name, path] of PAGES)
    for (const where of ['disk', 'http'] as const)
      test(`the ${name} page opens from ${where} without a fault and asks nobody else`, async () => {
        const { page, faults, context } = await open((where === 'disk' ? fileUrl : httpUrl) + path())
        if (name === 'public run') await instancesShown(page)
        expect(await page.title()).not.toBe('')
        expect(await page.evaluate('window.hacked')).toBeUndefined()
        expect(faults).toEqual([])
        await context.close()
      })

  for (const [name, path] of PAGES)
    for (const colorScheme of ['light', 'dark'] as const)
      test(`axe finds nothing on the ${name} page when it is ${colorScheme}`, async () => {
        const { page, context } = await open(fileUrl + path(), { colorScheme })
        if (name === 'public run') await instancesShown(page)
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
        expect(await violations(page)).toEqual([])
        await context.close()
      })

  for (const [name, path] of PAGES)
    test(`the ${name} page is never wider than a screen of 320 px`, async () => {
      const { page, context } = await open(fileUrl + path(), { viewport: { width: 320, height: 700 } })
      if (name === 'public run') await instancesShown(page)
      const wide = await page.evaluate(
        '[...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > innerWidth && !each.closest(".table-scroll, .skip, .unseen")).map((each) => each.outerHTML.slice(0, 200))',
      )
      expect(wide).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
      await context.close()
    })

  const models = (page: Page): Promise<readonly string[]> =>
    page
      .locator('tbody .model-name')
      .evaluateAll((cells) => cells.map((cell) => cell.textContent.slice(0, 3)))

  test('the leaderboard can be read, links and all, without JavaScript', async () => {
    const { page, context } = await open(`${fileUrl}index.html`, { javaScriptEnabled: false })
    expect(await page.locator('tbody tr').count()).toBe(3)
    expect(await page.locator('button').count()).toBe(0)
    await page.locator('tbody td a').first().click()
    expect(await page.locator('h1').textContent()).toContain(' on ')
    await context.close()
  })

  test('the leaderboard sorts by keyboard, both ways, and says so', async () => {
    const { page, context } = await open(`${fileUrl}index.html`)
    await page.locator('button.column-metric').first().waitFor()
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
    await context.close()
  })

  test('every control is reached with the tab key', async () => {
    const { page, context } = await open(`${fileUrl}index.html`)
    await page.locator('button.column-metric').first().waitFor()
    const wanted = await page.locator('a[href], button, summary, [tabindex="0"]').count()
    const reached = new Set<unknown>()
    for (let presses = 0; presses < wanted + 2; presses += 1) {
      await page.keyboard.press('Tab')
      reached.add(
        await page.evaluate(
          '[...document.querySelectorAll("a[href], button, summary, [tabindex]")].indexOf(document.activeElement)',
        ),
      )
    }
    reached.delete(-1)
    expect(reached.size).toBe(wanted)
    await context.close()
  })

  test('hostile text stays text', async () => {
    const { page, context } = await open(fileUrl + pageOf('runs', 'bench-model-m_a'))
    await instancesShown(page)
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.locator('.instance').count()).toBe(20)
    const text = (await page.locator('.instance .verbatim').nth(1).textContent()) ?? ''
    expect(text).toContain('</pre></script><script>window.hacked = true</script>')
    expect(text).toContain('⟨U+202E⟩right to left')
    expect(await page.evaluate('window.hacked')).toBeUndefined()
    await context.close()
  })

  test('a line of a megabyte is cut, and shown whole when asked', async () => {
    const { page, faults, context } = await open(fileUrl + pageOf('runs', 'bench-model-m_a'))
    await instancesShown(page)
    const first = page.locator('.instance').first().locator('.part').first()
    await first.getByRole('button', { name: 'Show all' }).click()
    await first.getByRole('button').waitFor({ state: 'detached' })
    expect((await first.locator('.verbatim').textContent())?.length).toBe(1_040_000)
    expect(faults).toEqual([])
    await context.close()
  })

  test('pages of instances have addresses of their own', async () => {
    const run = pageOf('runs', 'bench-model-m_a')
    const { page, context } = await open(`${fileUrl}${run}#p2`)
    await instancesShown(page)
    expect(await page.locator('.instance h3').first().textContent()).toBe('id20')
    await page.getByRole('link', { name: 'Next' }).first().click()
    await page.getByText('id40', { exact: true }).waitFor()
    expect(page.url()).toContain('#p3')
    await page.goto(`${fileUrl}${run}#p1-4`)
    await page.locator('#p1-4:focus').waitFor()
    await context.close()
  })

  test('pages of private benchmarks hold no text of an instance', async () => {
    for (const path of [pageOf('benchmarks', 'private'), pageOf('runs', 'private')]) {
      const { page, context } = await open(fileUrl + path)
      const content = await page.content()
      expect(content).not.toContain(SECRET)
      expect(content).not.toContain('Question')
      await context.close()
    }
  })
})
