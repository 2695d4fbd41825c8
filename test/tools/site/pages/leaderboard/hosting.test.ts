import { describe, expect, test } from 'vitest'
import type { Hosting } from '../../../../../tools/site/about/hosting.ts'
import { madeUpBoard } from '../../../../bench/made-up-board.ts'
import { chromiumPath } from '../../chromium.ts'
import { siteBrowser } from '../../site-browser.ts'

const board = madeUpBoard({ models: 4, benchmarks: 5 })
const PLACES: readonly (Hosting | undefined)[] = [
  'public text only',
  'this machine',
  'private text agreed',
  undefined,
]

const suiteOf = (name: string, places: readonly (Hosting | undefined)[]) => ({
  board: { ...board, suite: name },
  runs: [],
  models: board.rows.map(({ model: { deployment } }, at) => {
    const hosting = places[at]
    return { deployment, description: 'Made up.', ...(hosting === undefined ? {} : { hosting }) }
  }),
})

const labelsAt = (...places: readonly number[]): readonly string[] =>
  board.rows.filter((_, at) => places.includes(at)).map(({ label }) => label)

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('the choice of a hosting in Chromium', () => {
  const { urls, open } = siteBrowser(() => [
    suiteOf('mixed', PLACES),
    suiteOf(
      'alike',
      board.rows.map(() => 'public text only'),
    ),
  ])

  const opened = async (hash = '') => {
    const all = await open(`${urls().disk}index.html${hash}`)
    await all.page.locator('.board-controls').waitFor()
    const names = async (): Promise<readonly string[]> =>
      (await all.page.locator('.board .model-name').allTextContents()).toSorted()
    const verdict = (): Promise<string | null> => all.page.locator('.verdict').textContent()
    return { ...all, names, verdict, hosting: all.page.getByLabel('Hosting') }
  }

  test('offers what tells models apart, filters table and verdict, and stands in the address', async () => {
    const { page, faults, close, names, verdict, hosting } = await opened()
    expect(await hosting.locator('option').allTextContents()).toEqual([
      'Any',
      'this machine',
      'private text agreed',
      'public text only',
    ])
    await hosting.selectOption('private text agreed')
    expect(await names()).toEqual(labelsAt(1, 2).toSorted())
    expect(new URL(page.url()).hash).toBe('#hosting=private+text+agreed')
    expect(await page.locator('.board-controls .status').textContent()).toContain('2 of 4 models')
    await hosting.selectOption('this machine')
    expect(await names()).toEqual(labelsAt(1))
    expect(await verdict()).toContain(labelsAt(1)[0])
    await page.goBack()
    expect(await hosting.inputValue()).toBe('private text agreed')
    await page.getByRole('button', { name: 'Reset' }).click()
    expect(new URL(page.url()).hash).toBe('')
    expect(await names()).toHaveLength(4)
    expect(faults).toEqual([])
    await close()
  })

  test('comes back from an address', async () => {
    const { close, names, hosting } = await opened('#hosting=this+machine')
    expect(await hosting.inputValue()).toBe('this machine')
    expect(await names()).toEqual(labelsAt(1))
    await close()
  })

  test('is not there where all models are served alike', async () => {
    const { page, close } = await opened()
    await page.getByRole('link', { name: 'alike', exact: true }).click()
    await page.locator('.board-controls').waitFor()
    expect(await page.locator('h1').textContent()).toContain('alike')
    expect(await page.getByLabel('Hosting').count()).toBe(0)
    await close()
  })
})
