import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StudyStatus } from '../../../targets/ratings/status.ts'
import { medmake } from '../../rig/medmake.ts'
import { chromiumPath, sharedChromium } from '../site/chromium.ts'
import { violations } from '../site/violations.ts'
import { planStudy } from './plan-study.ts'
import { ratedWorkspace } from './rated-workspace.ts'
import { atItem, eventsOf, openPage, serveDesk, studyOf } from './served-desk.ts'

const NOTES = 130
let root = ''
let browser: Browser

beforeAll(async () => {
  root = await ratedWorkspace({ notes: NOTES })
  await planStudy(root, { raters: 'ann,bob,cyd', labels: 110, overlap: 0.9 })
  browser = await sharedChromium()
})

const keysOf = (item: number): readonly string[] => [String(1 + (item % 5)), '4', 'Enter']

/** Of a page: hands each item its keys once it is shown, and gives how many ratings were on disk by then. */
const HAND_KEYS = `async (items) => {
  const shown = (place) => new Promise((done) => {
    const look = () => {
      if (document.querySelector('header span').textContent !== place || document.querySelector('form') === null) return
      observer.disconnect()
      done()
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { subtree: true, childList: true, characterData: true })
    look()
  })
  const found = []
  for (const [place, keys] of items) {
    await shown(place)
    found.push(await onDisk())
    for (const key of keys) document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  }
  return found
}`

describe.skipIf(chromiumPath === undefined)('the rating desk', () => {
  it('takes 200 ratings by keyboard from two raters at once, each on disk before the next item shows', async () => {
    const { links } = await serveDesk(root)
    expect([...links.keys()]).toEqual(['ann', 'bob', 'cyd'])
    const rateBy = async (rater: string, wanted: number): Promise<void> => {
      // Each item is drawn several times.
      const page = await openPage(browser, { viewport: { width: 640, height: 360 } })
      const faults: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(links.get(rater) ?? '')
      const of = studyOf(root).raters.find(({ name }) => name === rater)?.units.length ?? 0
      // Ten by the browser's own keyboard; of the others the page is handed the keys, which takes three quarters of the time.
      for (let item = 1; item <= 10; item += 1) {
        await atItem(page, item, of)
        expect(item === 1 ? 0 : eventsOf(rater, root).length).toBe(item - 1)
        for (const key of keysOf(item)) await page.keyboard.press(key)
      }
      await page.exposeFunction('onDisk', () => eventsOf(rater, root).length)
      const others = Array.from({ length: wanted - 10 }, (_, at) => 11 + at)
      const items = others.map((item) => [`Item ${item} of ${of}`, keysOf(item)])
      expect(await page.evaluate(`(${HAND_KEYS})(${JSON.stringify(items)})`)).toEqual(
        others.map((item) => item - 1),
      )
      await atItem(page, wanted + 1, of)
      expect(faults).toEqual([])
      await page.context().close()
    }
    await Promise.all([rateBy('ann', 100), rateBy('bob', 100)])
    const { stdout } = await medmake(['rate', 'status', '--json'], { cwd: root })
    const status = JSON.parse(stdout) as StudyStatus
    expect(status.raters.map(({ rated }) => rated)).toEqual([100, 100, 0])
    // What was rated is what the plan asks of this rater, in the rater's own order.
    const plan = studyOf(root)
    for (const rater of ['ann', 'bob']) {
      const own = plan.raters.find(({ name }) => name === rater)?.units ?? []
      expect(eventsOf(rater, root).map(({ subject }) => subject?.answer)).toEqual(
        own.slice(0, 100).map((number) => plan.units.find((unit) => unit.number === number)?.answer),
      )
    }
  }, 180_000)

  it('loses at most the item on the screen when its server is killed, and goes on from there', async () => {
    const { links, server } = await serveDesk(await smallWorkspace())
    const page = await openPage(browser)
    await page.goto(links.get('ann') ?? '')
    for (let item = 1; item <= 3; item += 1) {
      await atItem(page, item, 12)
      for (const key of ['3', '5', 'Enter']) await page.keyboard.press(key)
    }
    await atItem(page, 4, 12)
    await page.keyboard.press('2')
    server.kill('SIGKILL')
    await server
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await page.getByText('Not saved: medmake does not answer').waitFor()
    await page.context().close()
    expect(eventsOf('ann', small)).toHaveLength(3)
    const again = await serveDesk(small)
    const next = await openPage(browser)
    await next.goto(again.links.get('ann') ?? '')
    await atItem(next, 4, 12)
    await next.context().close()
    again.server.kill()
  })

  it('undoes, pauses, takes what cannot be judged and safety concerns, and is handed in', async () => {
    const { links, server } = await serveDesk(await smallWorkspace())
    const page = await openPage(browser)
    await page.goto(links.get('bob') ?? '')
    const of = 12
    await atItem(page, 1, of)
    // Nothing is taken that is half rated.
    for (const key of ['3', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Clarity is not rated yet').waitFor()
    await page.keyboard.press('Escape')
    for (const key of ['s', '4', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Say in a line of comment').waitFor()
    await page.keyboard.type('Would stop warfarin')
    await page.getByRole('button', { name: 'Save and next' }).click()
    await atItem(page, 2, of)
    await page.keyboard.press('u')
    await atItem(page, 1, of)
    await page.getByText('Save and next').waitFor()
    expect(await page.locator('#comment').inputValue()).toBe('Would stop warfarin')
    const held = new Promise<() => Promise<void>>((resolve) => {
      void page.route('**/api/save', (route) => resolve(() => route.continue()), { times: 1 })
    })
    for (const key of ['1', '1', 'Enter']) await page.keyboard.press(key)
    const goOn = await held
    // What is typed while an item is being saved is not meant for it.
    for (const key of ['5', 's', 'Enter']) await page.keyboard.press(key)
    await goOn()
    await atItem(page, 2, of)
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.keyboard.press('x')
    await page.locator('#reason').selectOption('outside-expertise')
    await page.getByRole('button', { name: 'Save and next' }).click()
    for (let item = 3; item <= of; item += 1) {
      await atItem(page, item, of)
      for (const key of ['3', '5', 'Enter']) await page.keyboard.press(key)
    }
    await atItem(page, 'End', of)
    await page.getByLabel('No', { exact: true }).check()
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    await page.getByRole('button', { name: 'Hand in' }).dblclick()
    await page.getByText('Handed in. Thank you.').waitFor()
    expect(sent).toHaveLength(1)
    await page.context().close()
    server.kill()
    const given = eventsOf('bob', small)
    expect(given[0]).toMatchObject({
      kind: 'rated',
      content: { scores: { accuracy: 3, clarity: 4 }, safety: true, comment: true },
    })
    expect(given[1]).toMatchObject({
      kind: 'rated',
      order: 1,
      content: { scores: { accuracy: 1, clarity: 1 } },
    })
    expect(given[2]).toMatchObject({
      kind: 'cannot-judge',
      content: { reason: 'outside-expertise', scores: {} },
    })
    expect(given.at(-1)).toMatchObject({ kind: 'handed-in', recognised: 'no' })
    expect(readFileSync(join(small, 'ratings/main/bob.jsonl'), 'utf8')).not.toContain('warfarin')
  })

  it('begins with practice that counts nowhere, and takes single criteria that cannot be judged', async () => {
    const cwd = await ratedWorkspace({ notes: 14, models: ['fake/a'] })
    const plan = await medmake(['rate', 'plan', 'main', '--raters', 'ann', '--labels', '6'], { cwd })
    expect(plan.stdout, plan.stderr).toContain(
      'Each rater begins with 3 to practise on, which count nowhere.',
    )
    const { links, server } = await serveDesk(cwd)
    const page = await openPage(browser)
    await page.goto(links.get('ann') ?? '')
    for (let item = 1; item <= 3; item += 1) {
      await page.getByText(`Practice ${item} of 3`, { exact: true }).waitFor()
      await page.getByText('for practice: it counts nowhere').waitFor()
      await page.locator('form').waitFor()
      for (const key of ['2', '2', 'Enter']) await page.keyboard.press(key)
    }
    await atItem(page, 1, 6)
    for (const key of ['-', '4', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Choose why it cannot be judged.').waitFor()
    await page.locator('#reason').selectOption('context-missing')
    await page.getByRole('button', { name: 'Save and next' }).click()
    await atItem(page, 2, 6)
    await page.keyboard.press('u')
    await atItem(page, 1, 6)
    expect(await page.getByRole('radio', { name: 'Can’t judge this' }).first().isChecked()).toBe(true)
    expect(await page.locator('#reason').inputValue()).toBe('context-missing')
    await page.context().close()
    server.kill()
    const given = eventsOf('ann', cwd)
    expect(given.slice(0, 3).map(({ practice }) => practice)).toEqual([true, true, true])
    expect(given[3]).toMatchObject({
      kind: 'rated',
      order: 1,
      content: { scores: { clarity: 4 }, reason: 'context-missing' },
    })
    const { stdout } = await medmake(['rate', 'status', '--json'], { cwd })
    expect((JSON.parse(stdout) as StudyStatus).raters[0]).toMatchObject({ planned: 6, rated: 1, left: 5 })
    const drawn = new Set(studyOf(cwd).units.map(({ answer }) => answer))
    for (const { answer } of studyOf(cwd).practice ?? []) expect(drawn.has(answer)).toBe(false)
  })

  it('lets nobody in without the link, twice by it, from another site or by another name', async () => {
    const { links, server } = await serveDesk(await smallWorkspace())
    const link = new URL(links.get('ann') ?? '')
    expect((await fetch(link.origin + link.pathname)).status).toBe(403)
    const welcome = await fetch(link, { redirect: 'manual' })
    const cookie = welcome.headers.get('set-cookie') ?? ''
    expect(welcome.status).toBe(303)
    expect(cookie).toMatch(/; Path=\/1\/; HttpOnly; SameSite=Strict$/)
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(403)
    const ask = (headers: Record<string, string>, path = link.pathname): Promise<Response> =>
      fetch(`${link.origin}${path}api/open`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: cookie.split(';')[0] ?? '', ...headers },
        body: '{}',
      })
    expect((await ask({ Origin: link.origin })).status).toBe(200)
    expect((await ask({ Origin: 'http://evil.example' })).status).toBe(403)
    expect((await ask({})).status).toBe(405)
    // The cookie of one rater opens no other's desk.
    expect((await ask({ Origin: link.origin }, '/2/')).status).toBe(403)
    server.kill()
    // It has no calls in flight.
    expect((await server).stderr).toBe('')
  })

  it('tells no model, judge, score or digest to the page', async () => {
    const { links, server } = await serveDesk(await smallWorkspace())
    const page = await openPage(browser)
    const bodies: Promise<string>[] = []
    page.on('response', (response) => bodies.push(response.text().catch(() => '')))
    await page.goto(links.get('cyd') ?? '')
    await atItem(page, 1, studyOf(small).raters[2]?.units.length ?? 0)
    const seen = [await page.content(), page.url(), ...(await Promise.all(bodies))].join('\n')
    for (const hidden of ['fake/a', 'fake/b', 'fake_', 'fake/judge', 'jury', 'summaries'])
      expect(seen.replaceAll(/<script[\s\S]*<\/script>/g, '').includes(hidden), hidden).toBe(false)
    for (const { instance, answer, rubric } of studyOf(small).units)
      for (const digest of [instance, answer, rubric]) expect(seen.includes(digest.slice(0, 16))).toBe(false)
    await page.context().close()
    server.kill()
  })

  it('shows hostile texts as text, a million characters of them too', async () => {
    const cwd = await ratedWorkspace({
      notes: 2,
      models: ['fake/a'],
      note: () => '<b>bold</b> </script><script>alert(1)</script>',
      answer: (_, note) =>
        note === 0
          ? '<img src=x onerror=alert(1)> \u202Egnirts\u202C \u0000 a\u0301\u0301\u0301\u0301 </script><script>window.bad=1</script>'
          : 'x</div><iframe src=javascript:alert(1)> '.repeat(25_000),
    })
    expect(
      (await medmake(['rate', 'plan', 'main', '--practice', '0', '--raters', 'ann'], { cwd })).code,
    ).toBe(0)
    const { links, server } = await serveDesk(cwd)
    const page = await openPage(browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('dialog', (dialog) => {
      asked.push('dialog')
      void dialog.dismiss()
    })
    const link = new URL(links.get('ann') ?? '')
    await page.goto(link.href)
    for (let item = 1; item <= 2; item += 1) {
      await atItem(page, item, 2)
      expect(await page.locator('.texts img, .texts iframe, .texts b, .texts script').count()).toBe(0)
      for (const key of ['3', '3', 'Enter']) await page.keyboard.press(key)
    }
    await atItem(page, 'End', 2)
    expect(await page.evaluate('window.bad')).toBeUndefined()
    expect(asked.filter((url) => !url.startsWith(link.origin) && url !== 'data:,')).toEqual([])
    await page.context().close()
    server.kill()
  })

  it('has no fault of accessibility in both themes at 360, 768 and 1280 px, and nothing too wide', async () => {
    const { links, server } = await serveDesk(await smallWorkspace())
    const page = await openPage(browser, { bypassCSP: true })
    await page.goto(links.get('cyd') ?? '')
    await page.locator('form').waitFor()
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 768, 1280]) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        expect(await violations(page), `${colorScheme} ${width}`).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      }
    await page.keyboard.press('?')
    expect(await violations(page), 'keys').toEqual([])
    await page.context().close()
    server.kill()
  })
})

let small = ''
let built: Promise<string> | undefined

/** Twelve answers for each of three raters, nothing rated by the rater that a test takes. */
const smallWorkspace = (): Promise<string> =>
  (built ??= (async () => {
    small = await ratedWorkspace({ notes: 9 })
    await planStudy(small, { raters: 'ann,bob,cyd', labels: 9 })
    return small
  })())
