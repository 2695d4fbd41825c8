import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
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
    return { ...all, close: () => all.close() }
  }

  const list = (page: Page) => page.locator('.instance-list tbody tr')
  const ids = (page: Page): Promise<readonly string[]> => list(page).locator('th').allTextContents()
  const shown = (page: Page, id: string): Promise<void> =>
    page.locator('.instance h3', { hasText: new RegExp(`^${id}$`) }).waitFor()
  const hashOf = (page: Page): string => decodeURIComponent(new URL(page.url()).hash)
  const status = (page: Page): Promise<string | null> => page.locator('.status').textContent()

  for (const where of ['disk', 'http'] as const)
    test(`are filtered to wrong answers, ordered and paged, from ${where}`, async () => {
      const { page, faults, close } = await opened(runPage(), '', where)
      expect((await ids(page)).length).toBe(50)
      await page.getByRole('combobox', { name: 'Show' }).selectOption('wrong')
      await page.getByText('80 of 120 requests.').waitFor()
      for (const score of await list(page).locator('td:nth-child(2)').allTextContents())
        expect(score).toBe('0.000')
      await page.getByRole('link', { name: 'Next' }).click()
      await page.getByText('Page 2 of 2').waitFor()
      expect(await list(page).count()).toBe(30)
      expect(hashOf(page)).toBe('#show=wrong&page=2')
      expect(faults).toEqual([])
      await close()
    })

  test('are found by a range of scores and by how far judges are apart', async () => {
    const { page, close } = await opened(runPage())
    await page.getByLabel('EM from').fill('0.5')
    await page.keyboard.press('Enter')
    await page.getByText('40 of 120 requests.').waitFor()
    await page.getByRole('button', { name: 'Show all', exact: true }).click()
    await page.getByRole('combobox', { name: 'Show' }).selectOption('apart')
    await page.getByLabel('Apart by at least').selectOption('4')
    const hits = Number(/^(\d+) of 120/.exec((await status(page)) ?? '')?.[1])
    expect(hits).toBeGreaterThan(0)
    expect(hits).toBeLessThan(120)
    await close()
  })

  test('stand in the list with their score, the spread of their judges and how their prompt goes on', async () => {
    const { page, close } = await opened(runPage())
    await list(page).locator('.snippet', { hasText: '17 The patient' }).waitFor()
    const cells = await list(page).nth(17).locator('th, td').allTextContents()
    expect(cells.slice(0, 3)).toEqual(['id17', '1.000', '3'])
    expect(cells[3]).toMatch(/^17 The patient, 54 years old/)
    await close()
  })

  test('are searched in pages that were not shown yet', async () => {
    const { page, close } = await opened(runPage())
    await page.getByLabel('Id or text').fill('choice 2 of question 113')
    await page.keyboard.press('Enter')
    await page.getByText(/^1 of 120 requests\.\s+Show all$/).waitFor()
    await shown(page, 'id113')
    expect(await ids(page)).toEqual(['id113'])
    await close()
  })

  test('are linked to one by one, and leafed through by keyboard over the end of a page', async () => {
    const { page, close } = await opened(runPage(), '#instance=id49')
    await shown(page, 'id49')
    await page.keyboard.press('j')
    await shown(page, 'id50')
    expect(hashOf(page)).toBe('#instance=id50')
    await page.getByText('Page 2 of 3').waitFor()
    await page.keyboard.press('k')
    await shown(page, 'id49')
    await page.reload()
    await shown(page, 'id49')
    // Faster than the page shows them.
    await page.evaluate(
      "for (const key of 'jjjk') dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))",
    )
    await shown(page, 'id51')
    await close()
  })

  test('leave the focus where it was at either end, and at the search once all are shown', async () => {
    const { page, close } = await opened(runPage(), '#instance=id118')
    const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent')
    await shown(page, 'id118')
    await page.getByRole('button', { name: 'Next →' }).press('Enter')
    await shown(page, 'id119')
    await page.keyboard.press('Enter')
    expect([hashOf(page), await focused()]).toEqual(['#instance=id119', 'Next →'])
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await page.goto(`${urls().disk}${runPage()}#size=50`)
    await pages.getByText('Page 1 of 3').waitFor()
    await pages.getByText('Next').press('Enter')
    await pages.getByText('Page 2 of 3').waitFor()
    // The same key once more goes on, not back.
    await page.keyboard.press('Enter')
    await pages.getByText('Page 3 of 3').waitFor()
    expect(await focused()).toBe('Next')
    await page.getByRole('combobox', { name: 'Show' }).selectOption('wrong')
    await page.getByRole('button', { name: 'Show all', exact: true }).press('Enter')
    await page.getByText(/^120 requests\.\s*$/).waitFor()
    expect(await page.evaluate('document.activeElement.closest("label").className')).toContain('field-words')
    await close()
  })

  test('are all on paper, where nothing scrolls', async () => {
    const { page, close } = await opened(runPage())
    await page.emulateMedia({ media: 'print' })
    const hidden = await page.evaluate<number>(
      "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.instance-list'))",
    )
    expect(hidden).toBe(0)
    await page.emulateMedia({ media: null })
    await close()
  })

  test('leave room for the prompt on a phone, flags and judges and all', async () => {
    const { page, close } = await opened(runPage())
    await page.setViewportSize({ width: 360, height: 700 })
    await page.keyboard.press('f')
    await list(page).locator('.warning', { hasText: '⚑' }).waitFor()
    expect((await list(page).locator('.snippet').first().boundingBox())?.width).toBeGreaterThan(120)
    await page.keyboard.press('f')
    await close()
  })

  test('say so where the one that is linked to is not among them, and show the first', async () => {
    const { page, close } = await opened(runPage(), '#instance=nobody')
    expect(await page.locator('main').textContent()).toContain(
      'Instance nobody is not among these; the first is shown.',
    )
    await shown(page, 'id0')
    await page.evaluate("location.hash = '#show=nonsense&sort=x&size=7&from=abc&page=99&tsak=1'")
    await expect
      .poll(() => page.locator('p.warning').allTextContents())
      .toEqual([
        'There is no choice nonsense here.',
        'abc is not a number that can be a limit: it is none.',
        'There is no order x here.',
        'There is no page size 7 here.',
        'The address asks for tsak, which this page does not know.',
        'There is no page 99 here.',
      ])
    await page.getByRole('button', { name: 'Show all' }).click()
    expect([hashOf(page), await page.locator('p.warning').count()]).toEqual(['', 0])
    await close()
  })

  test('tell each judge’s words when a score is asked, and other models’ answers', async () => {
    const { page, faults, close } = await opened(runPage(), '#instance=id7')
    await shown(page, 'id7')
    const grid = page.locator('.judge tbody tr')
    expect(await grid.locator('th').allTextContents()).toEqual(['accuracy', 'completeness', 'clarity'])
    await page.getByRole('button', { name: 'judge_b on clarity' }).press('Enter')
    await page.locator('.why h5', { hasText: 'judge_b, clarity: 5' }).waitFor()
    expect(await page.locator('.why .verbatim').textContent()).toContain('auscultation is clear')
    await page.getByRole('button', { name: 'Show their answers' }).click()
    const other = page.locator('.other-list li')
    await other.waitFor()
    expect(await other.textContent()).toMatch(/^Model 1\s*0\.000.*the same answer/)
    expect(await other.getByRole('link').getAttribute('href')).toContain('#instance=id7')
    expect(faults).toEqual([])
    await close()
  })

  test('are flagged with a note that stays in the browser and is saved as CSV', async () => {
    const { page, close } = await opened(runPage(), '#instance=id3')
    await shown(page, 'id3')
    await page.keyboard.press('f')
    await page.getByLabel('Note').fill('dose, "wrong"')
    await page.reload()
    await shown(page, 'id3')
    expect(await page.getByLabel('Note').inputValue()).toBe('dose, "wrong"')
    const file = await saved(page, () => page.getByRole('button', { name: 'The flag as CSV' }).click())
    expect(file).toBe(
      'suite,run,instance,trial,note\r\nmade-up,benchmark_0:model=maker_model-0,id3,1,"dose, ""wrong"""\r\n',
    )
    await page.getByRole('combobox', { name: 'Show' }).selectOption('flagged')
    await page.getByText('1 of 120 requests.').waitFor()
    await close()
  })

  test('are left alone by the keys while a note is written, which survives a flag that is taken away by mistake', async () => {
    const { page, close } = await opened(runPage(), '#show=wrong&instance=id3')
    await shown(page, 'id3')
    await page.keyboard.press('f')
    await page.getByLabel('Note').click()
    await page.keyboard.type('=jkf/ 1')
    await shown(page, 'id3')
    expect(hashOf(page)).toBe('#show=wrong&instance=id3')
    await page.getByRole('combobox', { name: 'Order' }).press('k')
    await shown(page, 'id3')
    await page.locator('.instance h3').click()
    await page.keyboard.press('f')
    await page.getByLabel('Note').waitFor({ state: 'detached' })
    await page.keyboard.press('f')
    expect(await page.getByLabel('Note').inputValue()).toBe('=jkf/ 1')
    // A spreadsheet would take it for a formula.
    const file = await saved(page, () => page.getByRole('button', { name: 'The flag as CSV' }).click())
    expect(file).toContain(",id3,1,'=jkf/ 1\r\n")
    await close()
  })

  test('say of a note that the browser keeps nothing, where that is so', async () => {
    const { page, close } = await opened(runPage(), '#instance=id3')
    await page.evaluate('Storage.prototype.setItem = () => { throw new DOMException("full") }')
    await page.keyboard.press('f')
    await page.getByLabel('Note, lost when this page is closed').waitFor()
    await close()
  })

  const saved = async (page: Page, ask: () => Promise<void>): Promise<string> =>
    (await savedBytes(page, ask)).toString('utf8')
  const savedBytes = async (page: Page, ask: () => Promise<void>): Promise<Buffer> => {
    const [file] = await Promise.all([page.waitForEvent('download'), ask()])
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }

  test('are saved whole as CSV, JSONL and Parquet, as far as the filters leave them', async () => {
    const { page, close } = await opened(runPage(), '#show=wrong')
    const group = page.getByRole('group', { name: 'Download: instances' })
    const ask = (format: string) => () => group.getByRole('button', { name: format }).click()
    const lines = (await saved(page, ask('JSONL'))).trim().split('\n')
    const first = JSON.parse(lines[0] ?? '') as Readonly<Record<string, unknown>>
    expect(lines).toHaveLength(80)
    expect(first).toMatchObject({ run: 'benchmark_0:model=maker_model-0', id: 'id0', trial: 1 })
    expect(first['metrics']).toMatchObject({ exact_match: 0, made_up_metric_number_2: 2 })
    const csv = await saved(page, ask('CSV'))
    expect(csv.split('\r\n')[0]).toMatch(/^run,instance,trial,split,prompt,completion,references/)
    const rows = await parquetReadObjects({
      file: arrayBuffer(await savedBytes(page, ask('Parquet'))),
      compressors,
    })
    expect(rows).toHaveLength(80)
    expect(rows[0]).toMatchObject({ instance: 'id0', exact_match: 0, made_up_metric_number_2: 2 })
    expect(rows[0]?.['prompt']).toBe(first['prompt'])
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

  const download = (page: Page, table: string, format: string): Promise<string> => {
    const group = page.getByRole('group', { name: `Download: ${table}` })
    return saved(page, () => group.getByRole('button', { name: format }).click())
  }

  for (const where of ['disk', 'http'] as const)
    test(`tables are saved with the numbers that they show, from ${where}`, async () => {
      const { page, close } = await open(`${urls()[where]}models.html`)
      const shown = await page.locator('tbody tr').first().locator('th, td').allTextContents()
      const csv = await download(page, 'Models', 'CSV')
      expect(csv.split('\r\n')[0]).toMatch(/^Model,Maker,Weights/)
      expect(csv.split('\r\n')[1]).toContain(`${shown[0]},Maker,open`)
      const [row] = JSON.parse(await download(page, 'Models', 'JSON')) as readonly Record<string, unknown>[]
      expect(row?.['Win rate']).toBe(Number(shown[4]))
      expect(await download(page, 'Models', 'LaTeX')).toContain(String.raw`\toprule`)
      await close()
    })
})

const arrayBuffer = ({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer =>
  buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
