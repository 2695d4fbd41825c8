import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { chromiumPath, sharedChromium } from '../site/chromium.ts'
import { ratedWorkspace } from './rated-workspace.ts'
import { atItem, eventsOf, studyOf } from './served-desk.ts'

let browser: Browser

beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await sharedChromium()
})

describe.skipIf(chromiumPath === undefined)('a sealed file', () => {
  it('is rated from disk, goes on after it was closed, and what comes back is taken in once and unchanged', async () => {
    const cwd = await ratedWorkspace({ notes: 4, models: ['fake/a'] })
    expect(
      (await medmake(['rate', 'plan', 'main', '--practice', '0', '--raters', 'ann'], { cwd })).code,
    ).toBe(0)
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
      page.setDefaultTimeout(60_000)
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
      await atItem(first, item, 4)
      for (const key of ['3', '5', 'Enter']) await first.keyboard.press(key)
    }
    await atItem(first, 3, 4)
    await first.close()
    const page = await open()
    await page.locator('#secret').fill(secret)
    await page.getByRole('button', { name: 'Open' }).click()
    for (let item = 3; item <= 4; item += 1) {
      await atItem(page, item, 4)
      for (const key of ['2', '2', 'Enter']) await page.keyboard.press(key)
    }
    await atItem(page, 'End', 4)
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
    const [, , third, , last] = eventsOf('ann', cwd)
    expect(third).toMatchObject({ kind: 'rated', order: 3, content: { scores: { accuracy: 2, clarity: 2 } } })
    expect(last).toMatchObject({ kind: 'handed-in', recognised: 'some' })
    expect(eventsOf('ann', cwd).map(({ subject }) => subject?.answer ?? '')).toEqual([
      ...(studyOf(cwd).raters[0]?.units ?? []).map((number) => studyOf(cwd).units[number - 1]?.answer),
      '',
    ])
  })
})
