import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { benchmarkPath, modelPath, runPath } from '../../../../tools/site/paths.ts'
import { chromiumPath } from '../chromium.ts'
import { demoSite, MODELS } from '../demo-site.ts'
import { meanOf } from '../run-files.ts'

const KEEP_FILE = `window.addressOf ??= URL.createObjectURL
window.handed = new Promise((done) => {
  URL.createObjectURL = (file) => {
    done(file)
    return window.addressOf.call(URL, file)
  }
})
true`
const FILE_BYTES =
  'window.handed.then((file) => file.arrayBuffer()).then((bytes) => [...new Uint8Array(bytes)])'

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('pages in Chromium', () => {
  const { page, site, runOf, cellOf, winRateOf, tablesOf, topics, subgroupOf } = demoSite()

  const button = (group: string, format: string): Locator =>
    page()
      .getByRole('group', { name: `Download: ${group}`, exact: true })
      .getByRole('button', { name: format, exact: true })

  /**
   * What a button saves, taken where the page hands it to the browser: Chromium lets a page save ten files a second, and
   * drops the eleventh without a word.
   */
  const saved = async (group: string, format: string): Promise<Buffer> => {
    await page().evaluate(KEEP_FILE)
    await button(group, format).dispatchEvent('click')
    return Buffer.from(await page().evaluate<readonly number[]>(FILE_BYTES))
  }
  const rowsOf = (csv: string): readonly (readonly string[])[] => parse(csv)

  test('offer every table as a file with the digits that the page knows, and no other', async () => {
    let tables = 0
    for (const path of [
      benchmarkPath('demo', 'demo_patient_summaries'),
      modelPath('demo', 'baseline/lead'),
      'models.html',
      'releases.html',
    ]) {
      for (const { label, rows } of await tablesOf(path, '', '.downloads')) {
        if (
          (await page()
            .getByRole('group', { name: `Download: ${label}`, exact: true })
            .count()) === 0
        )
          continue
        await page().evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
        const [, ...csv] = rowsOf((await saved(label, 'CSV')).toString('utf8'))
        const json = JSON.parse((await saved(label, 'JSON')).toString('utf8')) as readonly object[]
        const latex = (await saved(label, 'LaTeX')).toString('utf8')
        const body = rows.filter((row) => row.length > 1)
        expect([csv.length, json.length], `${path}: ${label}`).toEqual([body.length, body.length])
        for (const [order, row] of body.entries()) {
          const exact = row.flatMap((cell) => cell.exact)
          const ofCsv = (csv[order] ?? []).filter((cell) => cell !== '').map(Number)
          const ofJson = Object.values(json[order] ?? {}).filter((cell) => typeof cell === 'number')
          for (const number of exact) {
            expect(ofCsv, `${path}: ${label}, row ${order}`).toContain(number)
            expect(ofJson, `${path}: ${label}, row ${order}`).toContain(number)
          }
          expect(latex).toContain(row[0]?.text.replaceAll('_', String.raw`\_`))
        }
        tables += 1
      }
    }
    expect(tables).toBeGreaterThanOrEqual(7)
  }, 120_000)

  test('give the browser files, by click and by Enter, with the bytes that they hand it', async () => {
    const label = 'Win rate against what it takes'
    const names: string[] = []
    for (const [format, how] of [
      ['CSV', 'click'],
      ['CSV', 'Enter'],
      ['SVG', 'click'],
      ['PNG', 'Enter'],
    ] as const) {
      await tablesOf('figures.html', '', '.downloads')
      const arrives = page().waitForEvent('download')
      await (how === 'click' ? button(label, format).click() : button(label, format).press('Enter'))
      const download = await arrives
      names.push(download.suggestedFilename())
      const file = readFileSync(await download.path())
      expect(file.length, `${format} by ${how}`).toBeGreaterThan(100)
      expect(file.equals(await saved(label, format)), `${format} by ${how}`).toBe(true)
    }
    expect(names).toEqual(
      ['csv', 'csv', 'svg', 'png'].map((ending) => `figures-demo-win-rate-against-what-it-takes.${ending}`),
    )
  })

  test('save the scores, subgroups and standings of a suite as the files of its runs have them', () => {
    const file = (folder: string, ending: string): string => {
      const name = readdirSync(site(folder)).find((each) => each.endsWith(ending)) ?? ''
      return readFileSync(site(join(folder, name)), 'utf8')
    }
    const scores = parse(file('downloads', '.csv'), { columns: true }) as readonly Record<string, string>[]
    const json = JSON.parse(file('downloads', '.json')) as readonly Record<string, unknown>[]
    expect([scores.length, json.length]).toEqual([12, 12])
    for (const [order, row] of scores.entries()) {
      const { model = '', benchmark = '' } = row
      const { mean, values, run } = runOf(model, benchmark)
      const { low, high } = cellOf(model, benchmark)?.interval ?? {}
      expect([row['value'], row['low'], row['high'], row['n'], row['runs']].map(String)).toEqual(
        [mean, low, high, values.size, run].map(String),
      )
      expect([json[order]?.['value'], json[order]?.['low'], json[order]?.['high']]).toEqual([mean, low, high])
    }
    const groups = parse(file('subgroups', '.csv'), { columns: true }) as readonly Record<string, string>[]
    expect(groups).toHaveLength(topics().size * 4)
    for (const { model = '', group = '', value, n } of groups) {
      const values = subgroupOf(model, group)
      expect(Number(value)).toBeCloseTo(meanOf(values), 12)
      expect(n).toBe(String(values.length))
    }
    const standings = file('downloads', '.tex')
    for (const model of Object.keys(MODELS)) {
      const line = standings.split('\n').find((each) => each.includes(` ${model} `)) ?? ''
      expect(line).toContain(winRateOf(model).toFixed(3))
    }
  })

  test('save the means of categories with their intervals, all digits, and no column of marks', async () => {
    await tablesOf('figures.html', '', '.downloads')
    const rows = parse((await saved('Mean scores by category', 'CSV')).toString('utf8'), {
      columns: true,
    }) as readonly Record<string, string>[]
    const name = 'Clinical Decision Support (2)'
    const other = 'Patient Communication and Education (1)'
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'Model',
      ...[name, other].flatMap((each) => [each, `${each}, low`, `${each}, high`]),
    ])
    expect(rows).toHaveLength(Object.keys(MODELS).length)
    const meanOn = (model: string, benchmark: string): number => runOf(model, benchmark).mean
    for (const row of rows) {
      const { Model: model = '' } = row
      const two = ['demo_multiple_choice', 'demo_clinical_calculations'].map((each) => meanOn(model, each))
      expect(Number(row[name])).toBeCloseTo(meanOf(two), 12)
      // A jury of 1 to 5.
      expect(Number(row[other])).toBeCloseTo((meanOn(model, 'demo_patient_summaries') - 1) / 4, 12)
      for (const each of [name, other]) {
        expect(Number(row[`${each}, low`]), each).toBeLessThanOrEqual(Number(row[each]))
        expect(Number(row[`${each}, high`]), each).toBeGreaterThanOrEqual(Number(row[each]))
      }
    }
    expect(rows.some((row) => /\.\d{6,}/.test(row[`${other}, low`] ?? ''))).toBe(true)
  })

  test('save a run’s instances as CSV, JSONL and Parquet with the values of its files', async () => {
    const { run, values } = runOf('Lexical overlap', 'demo_patient_summaries')
    await tablesOf(runPath('demo', run), '', '.instance')
    const csv = parse((await saved('instances', 'CSV')).toString('utf8'), {
      columns: true,
    }) as readonly Record<string, string>[]
    const jsonl = (await saved('instances', 'JSONL')).toString('utf8').trim().split('\n')
    const bytes = await saved('instances', 'Parquet')
    const parquet = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer,
      compressors,
    })
    expect([csv.length, jsonl.length, parquet.length]).toEqual([values.size, values.size, values.size])
    for (const [order, [id, value]] of [...values].entries()) {
      expect([csv[order]?.['instance'], Number(csv[order]?.['jury_score'])]).toEqual([id, value])
      expect(JSON.parse(jsonl[order] ?? '')).toMatchObject({ id, metrics: { jury_score: value } })
      expect(parquet[order]).toMatchObject({ instance: id, jury_score: value })
    }
  })

  test('save figures as drawings that are not empty', async () => {
    await tablesOf('figures.html', '', '.downloads')
    const groups = await page()
      .getByRole('group', { name: /^Download: / })
      .evaluateAll((all) =>
        all
          .filter((each) => each.textContent.includes('The figure as'))
          .map((each) => (each.getAttribute('aria-label') ?? '').replace('Download: ', '')),
      )
    expect(groups.length).toBeGreaterThan(1)
    for (const group of groups) {
      const svg = (await saved(group, 'SVG')).toString('utf8')
      expect(svg, group).toMatch(/^<svg[^>]* (?:width|viewBox)=/)
      const letters = svg.replaceAll(/<[^>]*>|\s/g, '')
      for (const model of Object.keys(MODELS)) expect(letters, group).toContain(model.replace(' ', ''))
      const png = await saved(group, 'PNG')
      expect(png.subarray(1, 4).toString('latin1'), group).toBe('PNG')
      expect(png.readUInt32BE(16) * png.readUInt32BE(20), group).toBeGreaterThan(10_000)
      expect(png.length, group).toBeGreaterThan(2000)
    }
  })
})
