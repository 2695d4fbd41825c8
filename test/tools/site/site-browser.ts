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
import { structuresOf } from './page-forms.ts'

const CONTROLS = ':is(a[href], button:enabled, summary, select, input, [tabindex="0"]):not([tabindex="-1"])'

/** Forms of controls that the tab key reached, by kind of page. */
const reached = new Map<string, Set<number>>()

/** What a page is a page of: by its folder, or its name. */
const kindOf = (page: Page): string => {
  const [folder = '', file = ''] = new URL(page.url()).pathname.split('/').slice(-2)
  return ['runs', 'benchmarks', 'model'].includes(folder) ? folder : file
}

/**
 * Controls in sight to which the tab key does not lead, three of each form that it led to on no page of the kind; pressed
 * from the one before the first of these on.
 */
export const unreached = async (page: Page): Promise<unknown> => {
  const known = reached.get(kindOf(page)) ?? new Set()
  reached.set(kindOf(page), known)
  await page.evaluate(
    `window.controls = [...document.querySelectorAll('${CONTROLS}')].filter((each) => each.checkVisibility())`,
  )
  const forms = await structuresOf(page, 'controls')
  const asked = forms.flatMap((form, at) =>
    known.has(form) || forms.slice(0, at).filter((other) => other === form).length > 2 ? [] : [at],
  )
  const [first] = asked
  if (first === undefined) return []
  await page.evaluate(`(() => {
    document.activeElement.blur()
    controls[${first} - 1]?.focus()
    window.reached = new Set()
    addEventListener('focusin', ({ target }) => reached.add(target))
  })()`)
  // From wherever the focus was, all around.
  const presses = first === 0 ? forms.length + 2 : (asked.at(-1) ?? first) - first + 3
  await Promise.all(Array.from({ length: presses }, () => page.keyboard.press('Tab')))
  const left = await page.evaluate<readonly string[]>(
    `${JSON.stringify(asked)}.map((at) => controls[at]).filter((each) => !reached.has(each)).map((each) => each.outerHTML.slice(0, 200))`,
  )
  if (left.length === 0) for (const form of forms) known.add(form)
  return left
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

interface Kept {
  readonly page: Page
  readonly faults: string[]
  /** Where it may ask. */
  readonly roots: string[]
}

/** Pages of the worker that nobody uses, by the options of their contexts. */
const kept = new Map<string, Kept[]>()

/** A site and a browser for the tests of a file. */
export const siteBrowser = (suites: () => readonly SiteSuite[]): SiteBrowser => {
  let folder = ''
  let http = ''
  const servers: ReturnType<typeof createSiteServer>[] = []

  beforeAll(async () => {
    folder = temporaryFolder()
    const [content, assets] = [suites(), await readAssets()]
    await emitSite(folder, { suites: content, assets, inputs: siteInputs(content, assets) })
    const server = createSiteServer([{ prefix: '/deep/down/', folder, policy: CONTENT_POLICY }], '127.0.0.1')
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
    servers.push(server)
    http = `http://127.0.0.1:${(server.address() as AddressInfo).port}/deep/down/`
  })

  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })

  const disk = (): string => pathToFileURL(`${folder}/`).href

  return {
    urls: () => ({ disk: disk(), http }),
    folder: () => folder,
    open: async (url, options = {}) => {
      const [kind, browser] = [JSON.stringify(options), await sharedChromium()]
      const usable = kept.get(kind)?.filter(({ page }) => page.context().browser() === browser) ?? []
      const opened = usable.pop() ?? (await openPage(browser, options))
      kept.set(kind, usable)
      opened.roots.splice(0, Infinity, disk(), http)
      const { page, faults } = opened
      // Else the part of a page that is open already would not load it.
      if (sameDocument(page.url(), url)) await page.goto('about:blank')
      faults.length = 0
      await page.goto(url)
      const close = async (): Promise<void> => {
        await leave(page, options)
        kept.set(kind, [...(kept.get(kind) ?? []), opened])
      }
      return { page, faults, close }
    },
  }
}

const sameDocument = (one: string, other: string): boolean => one.split('#')[0] === other.split('#')[0]

const openPage = async (browser: Browser, options: BrowserContextOptions): Promise<Kept> => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  // Machines are busy at times.
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  const roots: string[] = []
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
    if (!roots.some((root) => asked.startsWith(root)) && asked !== 'data:,') faults.push(`asked: ${asked}`)
  })
  return { page, faults, roots }
}

/** As a new page would be: nothing kept, of its first size and colours; empty only where another size would be laid out. */
const leave = async (page: Page, { viewport, colorScheme }: BrowserContextOptions): Promise<void> => {
  await page.evaluate('localStorage.clear()')
  const [own, first] = [page.viewportSize(), viewport ?? { width: 1280, height: 720 }]
  if (own?.width !== first.width || own.height !== first.height) {
    await page.goto('about:blank')
    await page.setViewportSize(first)
  }
  await page.emulateMedia({ colorScheme: colorScheme ?? 'light' })
}
