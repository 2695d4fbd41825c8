import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { SiteSuite } from '../../../../../tools/site/site.ts'
import { madeUpSite } from '../../../../bench/made-up-site.ts'
import { chromiumPath } from '../../chromium.ts'
import { siteBrowser } from '../../site-browser.ts'

/** Two models on a benchmark with judges and one without, 120 instances each. */
const suite = (): SiteSuite => madeUpSite({ models: 2, benchmarks: 2, instances: 120 })

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('instances in Chromium', () => {
  const { urls, folder, open } = siteBrowser(() => [suite()])

  const runPage = (): string => {
    const name = readdirSync(join(folder(), 'runs')).find((file) =>
      /benchmark_0.*model-0.*\.html$/.test(file),
    )
    return `runs/${name ?? 'none'}`
  }

  const opened = async (page: string, hash = '', where: 'disk' | 'http' = 'disk') => {
    const all = await open(`${urls()[where]}${page}${hash}`)
    await all.page.locator('.instance').first().waitFor()
    return { ...all, close: () => all.context.close() }
  }

  const ids = (page: Page): Promise<readonly string[]> => page.locator('.instance h3').allTextContents()
  const settled = (page: Page): Promise<void> => page.locator('[aria-busy="false"]').waitFor()
  const hashOf = (page: Page): string => decodeURIComponent(new URL(page.url()).hash)
  const status = (page: Page): Promise<string | null> => page.locator('.status').textContent()

  for (const where of ['disk', 'http'] as const)
    test(`are filtered to wrong answers, ordered and paged, from ${where}`, async () => {
      const { page, faults, close } = await opened(runPage(), '', where)
      expect((await ids(page)).length).toBe(20)
      await page.getByLabel('Show').selectOption('wrong')
      await page.getByText('80 of 120 requests.').waitFor()
      await settled(page)
      for (const score of await page.locator('.instance-score').allTextContents())
        expect(score).toContain('0.000')
      await page.getByLabel('On a page').selectOption('50')
      await page.locator('.instance').nth(49).waitFor()
      await page.getByRole('link', { name: 'Next' }).first().click()
      await page.getByText('Page 2 of 2').first().waitFor()
      expect(hashOf(page)).toBe('#show=wrong&page=2&size=50')
      expect(faults).toEqual([])
      await close()
    })

  test('are found by a range of scores and by how far judges are apart', async () => {
    const { page, close } = await opened(runPage())
    await page.getByLabel('exact_match from').fill('0.5')
    await page.keyboard.press('Enter')
    await page.getByText('40 of 120 requests.').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByLabel('Show').selectOption('apart')
    await page.getByLabel('Apart by at least').selectOption('4')
    const hits = Number(/^(\d+) of 120/.exec((await status(page)) ?? '')?.[1])
    expect(hits).toBeGreaterThan(0)
    expect(hits).toBeLessThan(120)
    await close()
  })

  test('are searched in pages that were not shown yet', async () => {
    const { page, close } = await opened(runPage())
    await page.getByLabel('Id or text').fill('choice 2 of question 113')
    await page.keyboard.press('Enter')
    await page.getByText(/^1 of 120 requests\.\s+Show all$/).waitFor()
    await settled(page)
    expect(await ids(page)).toEqual(['id113'])
    await close()
  })

  test('are linked to one by one, and leafed through by keyboard', async () => {
    const { page, close } = await opened(runPage(), '#instance=id39')
    await page.locator('h3:focus').waitFor()
    expect(await page.locator('h3:focus').textContent()).toBe('id39')
    await page.keyboard.press('j')
    await page.locator('h3:focus', { hasText: 'id40' }).waitFor()
    expect(hashOf(page)).toBe('#instance=id40')
    await page.keyboard.press('k')
    await page.locator('h3:focus', { hasText: 'id39' }).waitFor()
    await close()
  })

  test('say so where the one that is linked to is not among them', async () => {
    const { page, close } = await opened(runPage(), '#instance=nobody')
    expect(await page.locator('main').textContent()).toContain('Instance nobody is not among these.')
    await close()
  })

  for (const where of ['disk', 'http'] as const)
    test(`are compared side by side, from ${where}, the furthest apart first, with the difference`, async () => {
      const { page, faults, close } = await opened('compare.html', '', where)
      const row = page.getByRole('region', { name: 'Paired difference', exact: true }).locator('tbody tr')
      await row.waitFor()
      const cells = await row.locator('th, td').allTextContents()
      expect(cells[0]).toBe('EM')
      expect(cells[6]).toBe('120')
      expect(await page.locator('.instance-score').first().textContent()).toMatch(/B − A [+−]1\.000/)
      expect(await page.locator('.instance').first().locator('.side').count()).toBe(2)
      const difference = cells[3] ?? ''
      await page.getByRole('button', { name: 'Swap A and B' }).click()
      const swapped = difference.startsWith('+') ? difference.replace('+', '−') : difference.replace('−', '+')
      await row.locator('td', { hasText: swapped }).first().waitFor()
      await page.getByLabel('Show').selectOption('b')
      await page.locator('.instance').first().waitFor()
      for (const score of await page.locator('.instance-score').allTextContents())
        expect(score).toContain('B − A +1.000')
      expect(faults).toEqual([])
      await close()
    })

  test('lead from a run to its comparison', async () => {
    const { page, close } = await opened(runPage())
    await page.getByRole('link', { name: 'Compare with another model' }).click()
    await page.locator('.side').first().waitFor()
    expect(hashOf(page)).toBe('#task=benchmark_0&a=maker/model-0')
    expect(await page.getByLabel('Model A').inputValue()).toBe('maker/model-0')
    await close()
  })

  const download = async (page: Page, table: string, format: string): Promise<string> => {
    const group = page.getByRole('group', { name: `Download: ${table}` })
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      group.getByRole('button', { name: format }).click(),
    ])
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString('utf8')
  }

  for (const where of ['disk', 'http'] as const)
    test(`tables are saved with the numbers that they show, from ${where}`, async () => {
      const { page, context } = await open(`${urls()[where]}models.html`)
      const shown = await page.locator('tbody tr').first().locator('th, td').allTextContents()
      const csv = await download(page, 'Models', 'CSV')
      expect(csv.split('\r\n')[0]).toMatch(/^Model,Maker,Weights/)
      expect(csv.split('\r\n')[1]).toContain(`${shown[0]},Maker,open`)
      const [row] = JSON.parse(await download(page, 'Models', 'JSON')) as readonly Record<string, unknown>[]
      expect(row?.['Win rate']).toBe(Number(shown[6]))
      expect(await download(page, 'Models', 'LaTeX')).toContain(String.raw`\toprule`)
      await context.close()
    })
})
