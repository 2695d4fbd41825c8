import type { Browser, BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, sharedChromium } from '../site/chromium.ts'
import { planStudy } from './plan-study.ts'
import { ratedWorkspace } from './rated-workspace.ts'
import { atItem, eventsOf, openPage, serveDesk, type ServedDesk } from './served-desk.ts'

/** Of six answers that two of three raters see. */
const OF = 4
let cwd = ''
let browser: Browser
let desk: ServedDesk

beforeAll(async () => {
  cwd = await ratedWorkspace({ notes: 12, models: ['fake/a'] })
  await planStudy(cwd, { raters: 'ann,bob,cyd', labels: 6 })
  desk = await serveDesk(cwd)
  if (chromiumPath !== undefined) browser = await sharedChromium()
}, 60_000)

const linkOf = (rater: string): string => desk.links.get(rater) ?? ''

const secondTab = async (context: BrowserContext, url: string): Promise<Page> => {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(url)
  return page
}

const press = async (page: Page, ...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

/** What has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement.className || document.activeElement.localName')

describe.skipIf(chromiumPath === undefined)('a rater whose browser does what browsers do', () => {
  it('is told that another tab took over, and keeps sight of what was not saved', async () => {
    const page = await openPage(browser)
    await page.goto(linkOf('ann'))
    await atItem(page, 1, OF)
    await press(page, '2', 'm')
    await page.keyboard.type('the dose is wrong')
    const other = await secondTab(page.context(), page.url())
    await atItem(other, 1, OF)
    await press(other, '5', '5', 'Enter')
    await atItem(other, 2, OF)
    await page.getByRole('radio', { name: '3', exact: true }).last().check()
    await page.getByRole('button', { name: 'Save and next' }).click()
    await page.getByText('Not saved: This desk was opened in another tab').waitFor()
    expect(await page.locator('#comment').inputValue()).toBe('the dose is wrong')
    expect(eventsOf('ann', cwd).map(({ content }) => content?.scores)).toEqual([{ accuracy: 5, clarity: 5 }])
    await page.context().close()
  })

  it('tries again what a lost connection swallowed, skips nothing, and nothing is written twice', async () => {
    const page = await openPage(browser)
    await page.goto(linkOf('bob'))
    await atItem(page, 1, OF)
    // The reply is lost: the rating is not.
    await page.route('**/api/save', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await press(page, '3', '5', 'Enter')
    await page.getByText('Not saved: medmake does not answer. Try again').waitFor()
    await page.unroute('**/api/save')
    await page.route('**/api/item', (route) => route.abort())
    await page.getByRole('button', { name: 'Save and next' }).click()
    await page.getByText('medmake does not answer. Try again').waitFor()
    await page.unroute('**/api/item')
    await page.getByRole('button', { name: 'Try again' }).click()
    await atItem(page, 2, OF)
    // Looked back at, and unchanged.
    await press(page, 'u')
    await atItem(page, 1, OF)
    await page.locator('input:checked').first().waitFor({ state: 'attached' })
    await press(page, 'Enter')
    await atItem(page, 2, OF)
    expect(eventsOf('bob', cwd)).toHaveLength(1)
    await page.context().close()
  })

  it('is asked before a half-given rating goes with the page, and only then', async () => {
    const page = await openPage(browser)
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await page.goto(linkOf('cyd'))
    await atItem(page, 1, OF)
    await press(page, 'r')
    await page.reload()
    await atItem(page, 1, OF)
    expect(asked).toEqual([])
    await press(page, '3')
    await page.reload()
    expect(asked).toEqual(['beforeunload'])
    await atItem(page, 1, OF)
    // Windows over the page give the focus back, and so does the end.
    for (const [key, name] of [
      ['p', 'Go on'],
      ['?', 'Close'],
    ] as const) {
      await expect.poll(() => focused(page), { message: key }).toBe('focus')
      await press(page, key)
      await page.getByRole('button', { name }).click()
      await expect.poll(() => focused(page), { message: name }).toBe('focus')
    }
    // A key may come before the browser tells that a window was closed.
    await press(page, 'p')
    await page.getByRole('button', { name: 'Go on' }).waitFor()
    await page.evaluate(
      "document.querySelector('dialog').close(); document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))",
    )
    await page.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => focused(page)).toBe('focus')
    for (let item = 1; item <= OF; item += 1) {
      await atItem(page, item, OF)
      await press(page, '3', '4', 'Enter')
    }
    await atItem(page, 'End', OF)
    await expect.poll(() => focused(page)).toBe('h2')
    await page.getByLabel('No', { exact: true }).check()
    await page.getByRole('button', { name: 'Hand in' }).click()
    await page.getByText('Handed in. Thank you.').waitFor()
    await expect.poll(() => focused(page)).toBe('h2')
    await page.context().close()
  })

  it('saves nothing into another desk that came to the same port, and is told what to do', async () => {
    const page = await openPage(browser)
    desk.server.kill()
    await desk.server
    desk = await serveDesk(cwd, '--rater', 'ann')
    await page.goto(linkOf('ann'))
    await page.locator('form').waitFor()
    const { port } = new URL(page.url())
    desk.server.kill()
    await desk.server
    desk = await serveDesk(cwd, '--rater', 'bob', '--port', port)
    const before = eventsOf('bob', cwd).length
    await press(page, '1', '1', 'Enter')
    await page.getByText('Not saved: medmake was started anew. Open the link that it printed.').waitFor()
    // In the same browser, whose cookie now is the other’s.
    const other = await secondTab(page.context(), linkOf('bob'))
    await other.locator('form').waitFor()
    await page.getByRole('button', { name: 'Save and next' }).click()
    await page.getByText('Not saved: This desk was opened in another tab').waitFor()
    expect(eventsOf('bob', cwd)).toHaveLength(before)
    await page.context().close()
  })
})
