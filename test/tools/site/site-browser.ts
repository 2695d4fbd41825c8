import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { readAssets } from '../../../tools/site/emit/assets.ts'
import { CONTENT_POLICY } from '../../../tools/site/emit/document.tsx'
import { emitSite } from '../../../tools/site/emit/emit.ts'
import { createSiteServer } from '../../../tools/site/serve/server.ts'
import { siteInputs } from '../../../tools/site/emit/site-inputs.ts'
import type { SiteSuite } from '../../../tools/site/site.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { sharedChromium } from './chromium.ts'
import { elementsBeyond, formsOf } from './page-forms.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Forms that axe has found nothing in, by rules, width and colours. */
const passed = new Map<string, Set<number>>()

const soundAt = (where: string): Set<number> => {
  const forms = passed.get(where) ?? new Set()
  passed.set(where, forms)
  return forms
}

const OPTIONS = {
  // It would fetch the style sheet, which the page's policy forbids.
  preload: false,
  // No page has a frame, and nobody reads selectors: half of its time.
  iframes: false,
  selectors: false,
  resultTypes: ['violations'],
}
const COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * Faults of accessibility that axe finds on a page, by WCAG 2.2 AA and axe's own best practices. It takes a second on
 * most pages, so it isn't run where all elements have forms that it found nothing in, and colours, which are more than
 * half of it and judged element by element, are looked at where forms are new alone.
 * @param rules `colours`: those alone that another colour scheme can break
 */
export const violations = async (
  page: Page,
  rules: 'all' | 'colours' = 'all',
): Promise<readonly string[]> => {
  const seen = await page.evaluate<string>(
    '[innerWidth, matchMedia("(prefers-color-scheme: dark)").matches].join()',
  )
  const known = soundAt(`${rules} ${seen}`)
  const [whole, coloured] = [soundAt(`all ${seen}`), soundAt(`colours ${seen}`)]
  const forms = await formsOf(page)
  if (forms.every((form) => known.has(form) || whole.has(form))) return []
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe)
  const find = async (where: string, options: object): Promise<readonly Violation[]> =>
    (
      await page.evaluate<{ readonly violations: readonly Violation[] }>(
        `axe.run(${where}, ${JSON.stringify({ ...OPTIONS, ...options })})`,
      )
    ).violations
  const sound = new Set([...whole, ...coloured])
  const found = forms.every((form) => sound.has(form))
    ? []
    : [...(await find(`{ include: ${elementsBeyond(sound)} }`, { runOnly: COLOURS }))]
  if (rules === 'all')
    found.push(
      ...(await find('document', {
        rules: Object.fromEntries(COLOURS.map((rule) => [rule, { enabled: false }])),
      })),
    )
  if (found.length === 0) for (const form of forms) known.add(form)
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}

/** Of a page whose light form passed all. */
export const rulesOf = (colorScheme: 'light' | 'dark'): 'all' | 'colours' =>
  colorScheme === 'light' ? 'all' : 'colours'

const CONTROLS = ':is(a[href], button:enabled, summary, select, input, [tabindex="0"]):not([tabindex="-1"])'

/** Controls in sight to which the tab key does not lead. */
export const unreached = async (page: Page): Promise<unknown> => {
  const find = `[...document.querySelectorAll('${CONTROLS}')].filter((each) => each.checkVisibility())`
  const count = await page.evaluate<number>(`(() => {
    window.reached = new Set()
    addEventListener('focusin', ({ target }) => reached.add(target))
    document.activeElement.blur()
    return ${find}.length
  })()`)
  await Promise.all(Array.from({ length: count + 2 }, () => page.keyboard.press('Tab')))
  return page.evaluate(
    `${find}.filter((each) => !reached.has(each)).map((each) => each.outerHTML.slice(0, 200))`,
  )
}

/** Whatever is wider than the window, but for what scrolls by itself; the page itself, if it scrolls sideways. */
export const tooWide = (page: Page): Promise<unknown> =>
  page.evaluate(
    '[...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > innerWidth && !each.closest(".table-scroll, .skip, .unseen")).map((each) => each.outerHTML.slice(0, 200)).concat(document.documentElement.scrollWidth > innerWidth ? "the page scrolls sideways" : [])',
  )

/** That all of a page fits a window of this width, once its figures have followed: on a busy machine some frames later. */
export const expectToFit = async (page: Page, width: number, told: string): Promise<void> => {
  await page.setViewportSize({ width, height: 700 })
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  await expect.poll(() => tooWide(page), { message: `${told}, ${width} px`, timeout: 10_000 }).toEqual([])
}

export interface Opened {
  readonly page: Page
  /** What the page complains of, and what it asks for elsewhere. */
  readonly faults: string[]
  /** Leaves the page to whoever opens the next one with the same options; a new one costs more than most tests. */
  readonly close: () => Promise<void>
}

export interface SiteBrowser {
  /** Addresses of the site's folder, on disk and below a path of a server. */
  readonly urls: () => { readonly disk: string; readonly http: string }
  readonly folder: () => string
  readonly open: (url: string, options?: BrowserContextOptions) => Promise<Opened>
}

/** A site and a browser for the tests of a file. */
export const siteBrowser = (suites: () => readonly SiteSuite[]): SiteBrowser => {
  let folder = ''
  let http = ''
  let browser: Browser
  const servers: ReturnType<typeof createSiteServer>[] = []
  const left = new Map<string, Omit<Opened, 'close'>[]>()

  beforeAll(async () => {
    folder = temporaryFolder()
    const [content, assets] = [suites(), await readAssets()]
    await emitSite(folder, { suites: content, assets, inputs: siteInputs(content, assets) })
    const server = createSiteServer([{ prefix: '/deep/down/', folder, policy: CONTENT_POLICY }], '127.0.0.1')
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    servers.push(server)
    http = `http://127.0.0.1:${(server.address() as AddressInfo).port}/deep/down/`
    browser = await sharedChromium()
  })

  afterAll(async () => {
    for (const { page } of [...left.values()].flat()) await page.context().close()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })

  const disk = (): string => pathToFileURL(`${folder}/`).href

  const openPage = async (options: BrowserContextOptions): Promise<Omit<Opened, 'close'>> => {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const faults: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('requestfailed', (request) => {
      // Who goes elsewhere while a file is loaded gives it up.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') faults.push(`failed: ${request.url()}`)
    })
    page.on('request', (request) => {
      const asked = request.url()
      if (!asked.startsWith(disk()) && !asked.startsWith(http) && asked !== 'data:,')
        faults.push(`asked: ${asked}`)
    })
    return { page, faults }
  }

  return {
    urls: () => ({ disk: disk(), http }),
    folder: () => folder,
    open: async (url, options = {}) => {
      const kind = JSON.stringify(options)
      const opened = left.get(kind)?.pop() ?? (await openPage(options))
      await opened.page.goto(url)
      return {
        ...opened,
        close: async () => {
          await leave(opened.page, options)
          opened.faults.length = 0
          left.set(kind, [...(left.get(kind) ?? []), opened])
        },
      }
    },
  }
}

/** As a new page would be: empty, nothing kept, of its first size and colours. */
const leave = async (page: Page, { viewport, colorScheme }: BrowserContextOptions): Promise<void> => {
  await page.evaluate('localStorage.clear()')
  await page.goto('about:blank')
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 })
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light' })
}
