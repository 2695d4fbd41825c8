import { on } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RatingEvent } from '../../../targets/ratings/event.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import type { StudyStatus } from '../../../targets/ratings/status.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { chromiumPath, launchChromium } from '../site/chromium.ts'
import { violations } from '../site/site-browser.ts'
import { ratedWorkspace } from './rated-workspace.ts'

const NOTES = 130
let root = ''
let browser: Browser
const serving: ReturnType<typeof startMedmake>[] = []

/** Serves the study, and gives each rater's link. */
const serve = async (
  cwd = root,
): Promise<{ links: Map<string, string>; server: ReturnType<typeof startMedmake> }> => {
  const server = startMedmake(['rate', 'serve', '--port', '0'], { cwd })
  serving.push(server)
  const links = new Map<string, string>()
  let printed = ''
  for await (const chunk of on(server.stdout, 'data')) {
    printed += String(chunk)
    if (printed.includes('Each link opens')) break
  }
  for (const [, rater = '', link = ''] of printed.matchAll(/^(\S+): (http\S+)/gm)) links.set(rater, link)
  return { links, server }
}

const events = (rater: string, cwd = root): readonly RatingEvent[] =>
  readFileSync(join(cwd, 'ratings/main', `${rater}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RatingEvent)

const study = (cwd = root): Study =>
  JSON.parse(readFileSync(join(cwd, 'ratings/main/study.json'), 'utf8')) as Study

/** A page that gives up within seconds. */
const openPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(15_000)
  return page
}

const at = (page: Page, item: number | 'End', of: number): Promise<unknown> =>
  page.getByText(item === 'End' ? 'End' : `Item ${item} of ${of}`, { exact: true }).waitFor()

beforeAll(async () => {
  root = await ratedWorkspace({ notes: NOTES })
  const { code, stderr } = await medmake(
    ['rate', 'plan', 'main', '--raters', 'ann,bob,cyd', '--labels', '110', '--overlap', '0.9'],
    { cwd: root },
  )
  expect(code, stderr).toBe(0)
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  for (const server of serving) server.kill('SIGKILL')
})

describe.skipIf(chromiumPath === undefined)('the rating desk', () => {
  it('takes 200 ratings by keyboard from two raters at once, each on disk before the next item shows', async () => {
    const { links } = await serve()
    expect([...links.keys()]).toEqual(['ann', 'bob', 'cyd'])
    const rateBy = async (rater: string, wanted: number): Promise<void> => {
      const page = await openPage()
      const faults: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
      })
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(links.get(rater) ?? '')
      const of = study().raters.find(({ name }) => name === rater)?.units.length ?? 0
      for (let item = 1; item <= wanted; item += 1) {
        await at(page, item, of)
        await page.locator('form').waitFor()
        expect(item === 1 ? 0 : events(rater).length).toBe(item - 1)
        await page.keyboard.press(String(1 + (item % 5)))
        await page.keyboard.press('4')
        await page.keyboard.press('Enter')
      }
      await at(page, wanted + 1, of)
      expect(faults).toEqual([])
      await page.context().close()
    }
    await Promise.all([rateBy('ann', 100), rateBy('bob', 100)])
    const { stdout } = await medmake(['rate', 'status', '--json'], { cwd: root })
    const status = JSON.parse(stdout) as StudyStatus
    expect(status.raters.map(({ rated }) => rated)).toEqual([100, 100, 0])
    // What was rated is what the plan asks of this rater, in the rater's own order.
    const plan = study()
    for (const rater of ['ann', 'bob']) {
      const own = plan.raters.find(({ name }) => name === rater)?.units ?? []
      expect(events(rater).map(({ subject }) => subject?.answer)).toEqual(
        own.slice(0, 100).map((number) => plan.units.find((unit) => unit.number === number)?.answer),
      )
    }
  }, 180_000)

  it('loses at most the item on the screen when its server is killed, and goes on from there', async () => {
    const { links, server } = await serve(await smallWorkspace())
    const page = await openPage()
    await page.goto(links.get('ann') ?? '')
    for (let item = 1; item <= 3; item += 1) {
      await at(page, item, 12)
      await page.locator('form').waitFor()
      for (const key of ['3', '5', 'Enter']) await page.keyboard.press(key)
    }
    await at(page, 4, 12)
    await page.keyboard.press('2')
    server.kill('SIGKILL')
    await server
    await page.keyboard.press('2')
    await page.keyboard.press('Enter')
    await page.getByText('Not saved: medmake is not running').waitFor()
    await page.context().close()
    expect(events('ann', small)).toHaveLength(3)
    const again = await serve(small)
    const next = await openPage()
    await next.goto(again.links.get('ann') ?? '')
    await at(next, 4, 12)
    await next.context().close()
    again.server.kill()
  })

  it('undoes, pauses, takes what cannot be judged and safety concerns, and is handed in', async () => {
    const { links, server } = await serve(await smallWorkspace())
    const page = await openPage()
    await page.goto(links.get('bob') ?? '')
    const of = 12
    await at(page, 1, of)
    await page.locator('form').waitFor()
    // Nothing is taken that is half rated.
    for (const key of ['3', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Clarity is not rated yet').waitFor()
    await page.keyboard.press('Escape')
    for (const key of ['s', '4', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Say in a line of comment').waitFor()
    await page.keyboard.type('Would stop warfarin')
    await page.getByRole('button', { name: 'Save and next' }).click()
    await at(page, 2, of)
    await page.locator('form').waitFor()
    await page.keyboard.press('u')
    await at(page, 1, of)
    await page.getByText('Save and next').waitFor()
    expect(await page.locator('#comment').inputValue()).toBe('Would stop warfarin')
    for (const key of ['1', '1', 'Enter']) await page.keyboard.press(key)
    await at(page, 2, of)
    await page.locator('form').waitFor()
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.keyboard.press('x')
    await page.locator('#reason').selectOption('outside-expertise')
    await page.getByRole('button', { name: 'Save and next' }).click()
    for (let item = 3; item <= of; item += 1) {
      await at(page, item, of)
      await page.locator('form').waitFor()
      for (const key of ['3', '5', 'Enter']) await page.keyboard.press(key)
    }
    await at(page, 'End', of)
    await page.getByLabel('No', { exact: true }).check()
    await page.getByRole('button', { name: 'Hand in' }).click()
    await page.getByText('Handed in. Thank you.').waitFor()
    await page.context().close()
    server.kill()
    const given = events('bob', small)
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

  it('lets nobody in without the link, twice by it, from another site or by another name', async () => {
    const { links, server } = await serve(await smallWorkspace())
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
  })

  it('tells no model, judge, score or digest to the page', async () => {
    const { links, server } = await serve(await smallWorkspace())
    const page = await openPage()
    const bodies: Promise<string>[] = []
    page.on('response', (response) => bodies.push(response.text().catch(() => '')))
    await page.goto(links.get('cyd') ?? '')
    await at(page, 1, study(small).raters[2]?.units.length ?? 0)
    await page.locator('form').waitFor()
    const seen = [await page.content(), page.url(), ...(await Promise.all(bodies))].join('\n')
    for (const hidden of ['fake/a', 'fake/b', 'fake_', 'fake/judge', 'jury', 'summaries'])
      expect(seen.replaceAll(/<script[\s\S]*<\/script>/g, '').includes(hidden), hidden).toBe(false)
    for (const { instance, answer, rubric } of study(small).units)
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
    expect((await medmake(['rate', 'plan', 'main', '--raters', 'ann'], { cwd })).code).toBe(0)
    const { links, server } = await serve(cwd)
    const page = await openPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('dialog', (dialog) => {
      asked.push('dialog')
      void dialog.dismiss()
    })
    const link = new URL(links.get('ann') ?? '')
    await page.goto(link.href)
    for (let item = 1; item <= 2; item += 1) {
      await at(page, item, 2)
      await page.locator('form').waitFor()
      expect(await page.locator('.texts img, .texts iframe, .texts b, .texts script').count()).toBe(0)
      for (const key of ['3', '3', 'Enter']) await page.keyboard.press(key)
    }
    await at(page, 'End', 2)
    expect(await page.evaluate('window.bad')).toBeUndefined()
    expect(asked.filter((url) => !url.startsWith(link.origin) && url !== 'data:,')).toEqual([])
    await page.context().close()
    server.kill()
  })

  it('has no fault of accessibility in both themes at 360, 768 and 1280 px, and nothing too wide', async () => {
    const { links, server } = await serve(await smallWorkspace())
    const page = await openPage({ bypassCSP: true })
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

describe.skipIf(chromiumPath === undefined)('a sealed file', () => {
  it('is rated from disk, goes on after it was closed, and what comes back is taken in once and unchanged', async () => {
    const cwd = await ratedWorkspace({ notes: 4, models: ['fake/a'] })
    expect((await medmake(['rate', 'plan', 'main', '--raters', 'ann'], { cwd })).code).toBe(0)
    const packed = await medmake(['rate', 'pack', '--rater', 'ann'], { cwd })
    expect(packed.code, packed.stderr).toBe(0)
    const secret = /secret: (\S+)/.exec(packed.stdout)?.[1] ?? ''
    expect(secret).toMatch(/^(?:[a-z2-9]{5}-){5}[a-z2-9]{5}$/)
    const html = readFileSync(join(cwd, 'main-ann.html'), 'utf8')
    for (const hidden of ['says of note', 'fake/a', secret]) expect(html).not.toContain(hidden)
    const context = await browser.newContext({ acceptDownloads: true })
    const url = pathToFileURL(join(cwd, 'main-ann.html')).href
    const faults: string[] = []
    const open = async (): Promise<Page> => {
      const page = await context.newPage()
      page.setDefaultTimeout(15_000)
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text())
      })
      page.on('request', (request) => {
        if (request.url() !== url && request.url() !== 'data:,' && !request.url().startsWith('blob:'))
          faults.push(request.url())
      })
      await page.goto(url)
      return page
    }
    const first = await open()
    await first.locator('#secret').fill('aaaaa-bbbbb')
    await first.getByRole('button', { name: 'Open' }).click()
    await first.getByText('That secret does not open this file.').waitFor()
    await first.locator('#secret').fill(secret.toUpperCase())
    await first.getByRole('button', { name: 'Open' }).click()
    for (let item = 1; item <= 2; item += 1) {
      await at(first, item, 4)
      await first.locator('form').waitFor()
      for (const key of ['3', '5', 'Enter']) await first.keyboard.press(key)
    }
    await at(first, 3, 4)
    await first.close()
    const page = await open()
    await page.locator('#secret').fill(secret)
    await page.getByRole('button', { name: 'Open' }).click()
    for (let item = 3; item <= 4; item += 1) {
      await at(page, item, 4)
      await page.locator('form').waitFor()
      for (const key of ['2', '2', 'Enter']) await page.keyboard.press(key)
    }
    await at(page, 'End', 4)
    await page.getByLabel('Of some answers').check()
    await page.getByRole('button', { name: 'Hand in' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save ratings file' }).click(),
    ])
    const file = join(cwd, download.suggestedFilename())
    await download.saveAs(file)
    await context.close()
    expect(faults).toEqual([])
    const text = readFileSync(file, 'utf8')
    expect(text.length).toBeLessThan(4000)
    writeFileSync(join(cwd, 'changed.json'), text.replace(/"sealed":"(.{40})./, '"sealed":"$1_'))
    const changed = await medmake(['rate', 'import', 'changed.json'], { cwd })
    expect([changed.code, changed.stderr.includes('ratings/damaged-return')]).toEqual([2, true])
    const taken = await medmake(['rate', 'import', file], { cwd })
    expect(taken.stdout).toContain('5 entries of ann added to main')
    expect((await medmake(['rate', 'import', file], { cwd })).stdout).toContain(
      '0 entries of ann added to main; 5 were here already',
    )
    const [, , third, , last] = events('ann', cwd)
    expect(third).toMatchObject({ kind: 'rated', order: 3, content: { scores: { accuracy: 2, clarity: 2 } } })
    expect(last).toMatchObject({ kind: 'handed-in', recognised: 'some' })
    expect(events('ann', cwd).map(({ subject }) => subject?.answer ?? '')).toEqual([
      ...(study(cwd).raters[0]?.units ?? []).map((number) => study(cwd).units[number - 1]?.answer),
      '',
    ])
  })
})

let small = ''
let built: Promise<string> | undefined

/** Twelve answers for each of three raters, nothing rated by the rater that a test takes. */
const smallWorkspace = (): Promise<string> =>
  (built ??= (async () => {
    small = await ratedWorkspace({ notes: 9 })
    const { code, stderr } = await medmake(
      ['rate', 'plan', 'main', '--raters', 'ann,bob,cyd', '--labels', '9', '--overlap', '1'],
      { cwd: small },
    )
    expect(code, stderr).toBe(0)
    return small
  })())
