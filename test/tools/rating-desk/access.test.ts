import { request } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { chromiumPath, sharedChromium } from '../site/chromium.ts'
import { tooWide } from '../site/site-browser.ts'
import { violations } from '../site/violations.ts'
import { planStudy } from './plan-study.ts'
import { ratedWorkspace } from './rated-workspace.ts'
import { eventsOf, openPage, serveDesk, type ServedDesk } from './served-desk.ts'

let cwd = ''
let browser: Browser
let desk: ServedDesk

beforeAll(async () => {
  cwd = await ratedWorkspace({ notes: 12, models: ['fake/a'] })
  await planStudy(cwd, { raters: 'ann,bob,cyd,dan', labels: 8 })
  desk = await serveDesk(cwd)
  if (chromiumPath !== undefined) browser = await sharedChromium()
}, 60_000)

/** Faults of accessibility of a page as it stands, in both themes at three widths. */
const faultsOf = async (page: Page): Promise<readonly string[]> => {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [360, 768, 1280]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      for (const fault of await violations(page)) found.push(`${colorScheme} ${width}: ${fault}`)
      const wide = (await tooWide(page)) as readonly string[]
      found.push(...wide.map((each) => `${width}: too wide: ${each}`))
    }
  return found
}

/** Undefined until the next answer is drawn. */
const COVERED = `(() => {
  const [foot, own] = [document.querySelector('.foot'), document.querySelector('#comment')]
  own?.focus()
  return foot && own ? own.getBoundingClientRect().bottom > foot.getBoundingClientRect().top + 1 : undefined
})()`

describe.skipIf(chromiumPath === undefined)('the rating desk is for everybody', () => {
  it('has no fault of accessibility in any state: gaps, mistakes, reasons, pause, the end', async () => {
    const page = await openPage(browser, { bypassCSP: true })
    await page.goto(desk.links.get('ann') ?? '')
    await page.locator('form').waitFor()
    for (const key of ['4', '-', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Choose why it cannot be judged.').waitFor()
    expect(await faultsOf(page), 'a gap without a reason').toEqual([])
    await page.getByText('I can’t judge this answer').click()
    await page.locator('details[open] #reason').waitFor()
    expect(await faultsOf(page), 'an answer that can’t be judged').toEqual([])
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Go on' }).waitFor()
    expect(await faultsOf(page), 'pause').toEqual([])
    await page.keyboard.press('Escape')
    await page.getByText('I can’t judge this answer').click()
    await page.evaluate('document.activeElement.blur()')
    while ((await page.getByText('End', { exact: true }).count()) === 0) {
      for (const key of ['k', 'k', '3', '3', 'Enter']) await page.keyboard.press(key)
      await page.locator('form, fieldset legend').first().waitFor()
    }
    await page.getByRole('button', { name: 'Hand in' }).click()
    await page.getByText('Say whether you recognised').waitFor()
    expect(await faultsOf(page), 'the end').toEqual([])
    await page.getByLabel('No', { exact: true }).check()
    await page.getByRole('button', { name: 'Hand in' }).click()
    await page.getByText('Handed in. Thank you.').waitFor()
    expect(await faultsOf(page), 'handed in').toEqual([])
    await page.context().close()
  }, 240_000)

  it('tells a screen reader each group, its question and the ends of its scale, and what was saved', async () => {
    const page = await openPage(browser)
    await page.goto(desk.links.get('bob') ?? '')
    await page.locator('form').waitFor()
    const accuracy = page.getByRole('group', { name: 'Accuracy' })
    for (const name of ['1, poor', '2', '3', '4', '5, excellent', 'Can’t judge this'])
      await accuracy.getByRole('radio', { name, exact: true }).waitFor({ state: 'attached' })
    const described = await accuracy.getByRole('radio').first().getAttribute('aria-describedby')
    expect(await page.locator(`#${described ?? ''}`).textContent()).toBe('Is everything in it true?')
    // By arrows alone, as screen readers do.
    await accuracy.getByRole('radio', { name: '1, poor' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(await accuracy.getByRole('radio', { name: '3' }).isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Save and next' }).press('Enter')
    await page.getByRole('status').getByText('Saved').waitFor()
    // What has the focus is never below the fixed foot.
    await expect.poll(() => page.evaluate(COVERED)).toBe(false)
    // Single keys can be switched off.
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByLabel('Single-key shortcuts on').uncheck()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('3')
    expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
    await page.context().close()
  })

  it('is rated by touch alone, on targets of 44 px', async () => {
    const page = await openPage(browser, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    })
    await page.goto(desk.links.get('cyd') ?? '')
    await page.locator('form').waitFor()
    const small = await page.evaluate(
      '[...document.querySelectorAll(".scale label, button, summary, textarea, .check")].filter((each) => each.offsetParent !== null).map((each) => each.getBoundingClientRect()).filter(({ width, height }) => width < 44 || height < 44).length',
    )
    expect(small).toBe(0)
    for (const name of ['accuracy', 'clarity'])
      await page.locator(`[data-criterion=${name}] .scale label`).nth(3).tap()
    await page.getByText('Safety concern').tap()
    await page.getByRole('button', { name: 'Save and next' }).tap()
    await page.getByText('Say in a line of comment').waitFor()
    await page.getByText('Safety concern').tap()
    await page.getByRole('button', { name: 'Save and next' }).tap()
    await page.getByText(/^Item 2 of/).waitFor()
    await page.context().close()
    expect(eventsOf('cyd', cwd)[0]?.content?.scores).toEqual({ accuracy: 4, clarity: 4 })
  })

  it('opens a sealed file without fault or network, and keeps its place when paused', async () => {
    const packed = await medmake(['rate', 'pack', '--rater', 'dan', '--out', 'dan.html'], { cwd })
    expect(packed.code, packed.stderr).toBe(0)
    const page = await openPage(browser, { bypassCSP: true })
    await page.context().setOffline(true)
    await page.goto(pathToFileURL(join(cwd, 'dan.html')).href)
    await page.locator('#secret').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.locator('#secret').fill(/secret: (\S+)/.exec(packed.stdout)?.[1] ?? '')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.locator('form[aria-label]').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  }, 120_000)
})

describe('a desk that another site, name or user asks', () => {
  const ask = (headers: Record<string, string>, path: string, method = 'POST'): Promise<number> => {
    const { port } = new URL(desk.links.get('ann') ?? '')
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      sent.on('error', reject)
      sent.end(method === 'GET' ? undefined : '{}')
    })
  }

  it('answers no other name than this machine’s, whatever cookie or link is brought', async () => {
    const link = new URL(desk.links.get('dan') ?? '')
    const json = { 'Content-Type': 'application/json' }
    for (const host of [
      'evil.example',
      '127.0.0.1.evil.example',
      `evil.example:${link.port}`,
      '0.0.0.0',
      '192.168.1.7',
    ])
      expect(await ask({ Host: host }, link.pathname + link.search, 'GET'), host).toBe(403)
    // The link is not spent by them.
    const welcome = await fetch(link, { redirect: 'manual' })
    const cookie = (welcome.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const own = { ...json, Host: link.host, Cookie: cookie }
    const open = `${link.pathname}api/open`
    expect(await ask({ ...own, Origin: link.origin }, open)).toBe(200)
    for (const [headers, status] of [
      [{ ...own, Origin: 'http://evil.example' }, 403],
      [{ ...own, Origin: 'null' }, 403],
      [{ ...own, Origin: `http://127.0.0.1:${Number(link.port) + 1}` }, 403],
      [{ ...own }, 405],
      [{ ...own, Origin: link.origin, 'Content-Type': 'text/plain' }, 405],
      [{ ...own, Origin: link.origin, Host: 'evil.example' }, 403],
      [{ ...json, Host: link.host, Origin: link.origin }, 403],
      [{ ...own, Origin: link.origin, Cookie: `${cookie.slice(0, -1)}x` }, 403],
    ] as const)
      expect(await ask(headers, open), JSON.stringify(headers)).toBe(status)
    expect(await ask({ ...own, Origin: link.origin }, '/1/api/open')).toBe(403)
    expect(await ask({ ...own, Origin: link.origin }, '/../1/')).toBe(404)
  })
})
