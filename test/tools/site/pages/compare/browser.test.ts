import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { InstanceView } from '../../../../../tools/site/pages/run/instances/instance-view.ts'
import type { SiteSuite } from '../../../../../tools/site/site.ts'
import { madeUpSite } from '../../../../bench/made-up-site.ts'
import { chromiumPath } from '../../chromium.ts'
import { siteBrowser } from '../../site-browser.ts'

const LONG = 'The note says again what it said before. '.repeat(2_500)

/** What model 0 and model 1 answer to the first three instances, and what is right. */
const ANSWERS: readonly (readonly [a: string, b: string])[] = [
  [`${LONG}It ends well.`, `${LONG}It ends badly.`],
  ['stop metformin, see the clinic on Monday', 'start metformin, see the clinic on Friday'],
  [
    Array.from({ length: 4000 }, (_, at) => `one${at} same`).join(' '),
    Array.from({ length: 4000 }, (_, at) => `two${at} same`).join(' '),
  ],
]

const suite = (): SiteSuite => {
  const made = madeUpSite({ models: 2, benchmarks: 1, instances: 5 })
  const { runs } = made
  return {
    ...made,
    runs: runs.map((run, model) => ({
      ...run,
      instances: async function* () {
        let at = 0
        for await (const view of run.instances?.() ?? []) yield answered(view, ANSWERS[at++]?.[model])
      },
    })),
  }
}

const answered = (view: InstanceView<string>, answer: string | undefined): InstanceView<string> =>
  answer === undefined
    ? view
    : {
        ...view,
        completions: [answer],
        references: [
          { text: 'go home', correct: true },
          { text: 'stop metformin, see the clinic on Tuesday', correct: true },
          { text: 'start metformin', correct: false },
        ],
      }

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('answers in Chromium', () => {
  const { urls, folder, open } = siteBrowser(() => [suite()])
  const pairOf = (page: Page, id: string) => page.getByRole('article', { name: id, exact: true })

  test('that are long are loaded whole when asked, with the words that differ marked on both sides', async () => {
    const { page, faults, close } = await open(`${urls().http}compare.html#a=maker/model-0&b=maker/model-1`)
    const pair = pairOf(page, 'id0')
    await pair.waitFor()
    expect(await pair.locator('del, ins').count()).toBe(0)
    await pair.getByRole('button', { name: 'Show both answers whole, with the words that differ' }).click()
    await pair.locator('del').waitFor()
    expect(await pair.locator('del').allTextContents()).toEqual(['well'])
    expect(await pair.locator('ins').allTextContents()).toEqual(['badly'])
    expect((await pair.locator('.side .verbatim').first().textContent())?.length).toBe(LONG.length + 13)
    expect(await pair.getByRole('button').count()).toBe(await pair.locator('.score-button').count())
    const far = pairOf(page, 'id2')
    await far.getByRole('button', { name: 'Show both answers whole' }).click()
    await far.getByText('The answers differ in more than 1 500 words: too many for marks.').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('are held against the closest correct reference, and the others stand below', async () => {
    const run = readdirSync(join(folder(), 'runs')).find((file) => /model-0.*\.html$/.test(file)) ?? ''
    const { page, faults, close } = await open(`${urls().disk}runs/${run}#instance=id1`)
    await page.getByRole('heading', { name: 'The closest of 2 correct references' }).waitFor()
    expect(await page.locator('.sides del').allTextContents()).toEqual(['Monday'])
    expect(await page.locator('.sides ins').allTextContents()).toEqual(['Tuesday'])
    expect(await page.locator('.references li').allTextContents()).toEqual([
      'go homecorrect',
      'start metformin',
    ])
    expect(faults).toEqual([])
    await close()
  })

  test('whose rest cannot be had say so, and keep what is there', async () => {
    const { page, close } = await open(`${urls().http}compare.html#a=maker/model-0&b=maker/model-1`)
    await page.route(/\/x\d+\.js/, (route) => route.abort())
    const pair = pairOf(page, 'id0')
    await pair.getByRole('button', { name: 'Show both answers whole' }).click()
    await pair.getByText('The rest could not be loaded.').waitFor()
    expect(await pair.locator('.side .verbatim').first().textContent()).toContain('The note says again')
    await page.unrouteAll()
    await close()
  })
})
