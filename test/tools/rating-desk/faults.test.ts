import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StudyStatus } from '../../../targets/ratings/status.ts'
import { freeSpace } from '../../../cache/disk-space.ts'
import { openStore } from '../../../cache/open-store.ts'
import { medmake } from '../../rig/medmake.ts'
import { chromiumPath, sharedChromium } from '../site/chromium.ts'
import { planStudy } from './plan-study.ts'
import { ratedWorkspace } from './rated-workspace.ts'
import { askDesk, atItem, eventsOf, openPage, serveDesk, studyOf } from './served-desk.ts'

const GIVEN = {
  scores: { accuracy: 3, clarity: 4 },
  reason: null,
  safety: false,
  comment: '',
  active_ms: 1000,
  opened: [],
}

let browser: Browser | undefined
const mounted: string[] = []

const mount = (folder: string, size: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder], { stdio: 'ignore' })
    mounted.push(folder)
    return true
  } catch {
    return false
  }
}

/** A study of six answers of one model, nothing rated yet. */
const planned = async (
  raters = 'ann',
  { labels = 6, ...options }: Partial<Parameters<typeof ratedWorkspace>[0]> & { labels?: number } = {},
): Promise<string> => {
  const cwd = await ratedWorkspace({ notes: 2 * labels, models: ['fake/a'], ...options })
  await planStudy(cwd, { raters, labels })
  return cwd
}

beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await sharedChromium()
})

afterAll(() => {
  for (const folder of mounted) execFileSync('umount', ['-l', folder])
})

describe('a desk whose surroundings fail', () => {
  it.skipIf(chromiumPath === undefined)(
    'says that the disk is full, keeps the item with what was set, and saves it once there is room',
    async (context) => {
      const of = 16
      const cwd = await planned('ann', { labels: of })
      const ratings = join(cwd, 'ratings')
      cpSync(ratings, join(cwd, 'kept'), { recursive: true })
      // Needs the right to mount a small disk.
      if (!mount(ratings, '128k')) {
        context.skip()
        return
      }
      cpSync(join(cwd, 'kept'), ratings, { recursive: true })
      const { links, server } = await serveDesk(cwd)
      const page = await openPage(browser as Browser)
      await page.goto(links.get('ann') ?? '')
      await atItem(page, 1, of)
      for (const key of ['3', '5', 'Enter']) await page.keyboard.press(key)
      await atItem(page, 2, of)
      const filler = join(ratings, 'filler')
      writeFileSync(filler, Buffer.alloc(freeSpace(ratings)))
      // What fits into the log's last block is written all the same.
      const full = page.getByText('Not saved: the disk is full')
      let at = 2
      for (; at <= of; at += 1) {
        for (const key of ['2', '4', 'Enter']) await page.keyboard.press(key)
        const next = page.getByText(at === of ? 'End' : `Item ${at + 1} of ${of}`, { exact: true })
        await full.or(next).first().waitFor()
        if (await full.isVisible()) break
        await page.locator('form').waitFor()
      }
      expect(at, 'the disk was full before the end').toBeLessThan(of)
      await page.getByText(`Item ${at} of ${of}`, { exact: true }).waitFor()
      expect(await page.getByRole('radio', { name: '2', exact: true }).first().isChecked()).toBe(true)
      expect(eventsOf('ann', cwd)).toHaveLength(at - 1)
      rmSync(filler)
      await page.getByRole('button', { name: 'Save and next' }).click()
      await atItem(page, at + 1, of)
      expect(eventsOf('ann', cwd).at(-1)?.content?.scores).toEqual({ accuracy: 2, clarity: 4 })
      await page.context().close()
      server.kill()
      const { stdout } = await medmake(['rate', 'status', '--json'], { cwd })
      expect((JSON.parse(stdout) as StudyStatus).raters[0]).toMatchObject({ rated: at, left: of - at })
    },
  )

  it('saves nothing over what another program wrote into its ratings meanwhile', async () => {
    const cwd = await planned()
    const { links, server } = await serveDesk(cwd)
    const ask = await askDesk(links.get('ann') ?? '')
    const { opening } = await ask('open', {})
    await ask('save', { opening, rating: { item: 1, ...GIVEN } })
    const log = join(cwd, 'ratings/main/ann.jsonl')
    // Such as another store's desk, or git.
    appendFileSync(log, '{"from": "elsewhere"}\n')
    const { problem } = await ask('save', { opening, rating: { item: 2, ...GIVEN } })
    expect(problem).toContain('changed by something else')
    expect(readFileSync(log, 'utf8')).toMatch(/elsewhere"}\n$/)
    server.kill()
  })

  it('refuses a plan that was edited by hand, wherever it is read, and never leaves the fence by it', async () => {
    const cwd = await planned('ann', { access: 'private' })
    const file = join(cwd, 'ratings/main/study.json')
    const text = readFileSync(file, 'utf8')
    for (const edit of [
      (plan: string) => plan.replace('"access": "private"', '"access": "public"'),
      (plan: string) => plan.replace(/"size": \d+/, '"size": 400'),
      (plan: string) => plan.replace('"number": 2,', '"number": 1,'),
      (plan: string) => plan.replace('"name": "ann"', '"name": "bob"'),
    ]) {
      expect(edit(text)).not.toBe(text)
      writeFileSync(file, edit(text))
      for (const args of [
        ['serve', '--port', '0'],
        ['pack', '--rater', 'ann'],
        ['status'],
        ['plan', 'main'],
      ]) {
        const { code, stderr } = await medmake(['rate', ...args], { cwd })
        expect([code, stderr.includes('ratings/changed-plan')], args[0]).toEqual([2, true])
      }
    }
    writeFileSync(file, text.replace('"seed"', '"sead"'))
    const typo = await medmake(['rate', 'status'], { cwd })
    expect([typo.code, /study\.json:\d+:\d+/.test(typo.stderr)]).toEqual([2, true])
    // Its form is no matter.
    writeFileSync(file, JSON.stringify(JSON.parse(text)))
    expect((await medmake(['rate', 'status'], { cwd })).code).toBe(0)
  })

  it('goes on with what a store that has moved on still holds, and says what it does not', async () => {
    const cwd = await planned('ann,bob', { models: ['fake/a', 'fake/b'] })
    const conf = join(cwd, 'targets/main.conf')
    const entries = readFileSync(conf, 'utf8')
    // One model is out of the suite, another came in and is not built yet.
    writeFileSync(conf, entries.replace('summaries:model=fake/b', 'summaries:model=fake/judge'))
    const { links, server } = await serveDesk(cwd)
    const ask = await askDesk(links.get('ann') ?? '')
    const { state } = await ask('open', {})
    const own = studyOf(cwd).raters.find(({ name }) => name === 'ann')?.units ?? []
    const ofA = studyOf(cwd).units.filter(
      ({ number, drawn }) => own.includes(number) && drawn.some(([frame]) => frame === 0),
    )
    expect(state.items).toBe(ofA.length)
    server.kill()
    const { stderr } = await server
    expect(stderr).toContain('is not built as it is declared now')
    expect(stderr).toMatch(/\d+ answers of ann are in no run any more/)
    // None is left.
    const data = join(cwd, 'benchmarks/summaries/data.csv')
    writeFileSync(conf, entries)
    writeFileSync(data, readFileSync(data, 'utf8').replaceAll('note ', 'memo '))
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    const none = await medmake(['rate', 'serve', '--port', '0'], { cwd })
    expect([none.code, none.stderr.includes('ratings/nothing-held')]).toEqual([2, true])
  })

  it('says of an answer that the store lost that it can’t be read, and lets the rest be handed in', async () => {
    const cwd = await planned()
    const { links, server } = await serveDesk(cwd)
    const ask = await askDesk(links.get('ann') ?? '')
    const { opening } = await ask('open', {})
    for (let item = 1; item <= 5; item += 1) await ask('save', { opening, rating: { item, ...GIVEN } })
    const store = await openStore({ path: join(cwd, 'cache/store'), onEvent: () => undefined })
    for (const { id } of Array.from(store.entries('completions'))) await store.remove('completions', id)
    await store.close()
    expect((await ask('hand-in', { opening, recognised: 'no' })).problem).toContain('still open')
    expect((await ask('item', { opening, item: 6 })).problem).toContain('can’t be read any more')
    expect((await ask('hand-in', { opening, recognised: 'no' })).problem).toBeUndefined()
    server.kill()
    expect(eventsOf('ann', cwd).map(({ kind }) => kind)).toEqual([...Array(5).fill('rated'), 'handed-in'])
  })
})
