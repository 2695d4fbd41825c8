import { readFile } from 'node:fs/promises'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import { DataTable, type DataCell } from '../../../../tools/site/components/data-table.tsx'
import {
  exactDifference,
  exactDifferences,
  exactFigure,
  exactP,
  exactRange,
  exactShare,
  exactValue,
} from '../../../../tools/site/components/exact.tsx'
import { linearAxis } from '../../../../tools/site/components/plot/axis.ts'

import { MARK_PIXELS } from '../../../../tools/site/components/plot/mark.tsx'
import { chromiumPath } from '../chromium.ts'
import { siteBrowser } from '../site-browser.ts'
import { sketchSuite } from '../sketch-site.ts'

const THIRD = 1 / 3
const TINY = 1.25e-9
const between = { low: -2 / 3, high: 2 / 3 }

const markTable = (rows: readonly (readonly DataCell[])[], groups?: string): string =>
  renderToString(
    h(DataTable, {
      label: 'Made up',
      ...(groups === undefined ? {} : { groups }),
      head: [
        { text: 'Model' },
        { text: 'Mean', axis: linearAxis({ from: 0, to: 1 }, MARK_PIXELS) },
        { text: 'Value', number: true },
        { text: '95 % interval', number: true },
      ],
      rows,
    }),
  )

const scored = (name: string, value: number | null): readonly DataCell[] => [
  name,
  value === null ? [] : [{ value, interval: between }],
  exactValue(value),
  value === null ? 'too few' : exactRange(between),
]

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('a table saved from a page', () => {
  const { urls, open } = siteBrowser(() => [sketchSuite()])

  /** What the page's own script saves of a table. */
  const saved = async (table: string, format: 'CSV' | 'JSON' | 'LaTeX'): Promise<string> => {
    const { page, close } = await open(`${urls().disk}models.html`)
    await page.evaluate(
      (html) => document.querySelector('main')?.insertAdjacentHTML('beforeend', html),
      table,
    )
    const button = page
      .getByRole('group', { name: 'Download: Made up', exact: true })
      .getByRole('button', { name: format })
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
    const text = await readFile(await file.path(), 'utf8')
    await close()
    return text
  }
  const savedRows = async (table: string): Promise<unknown> => JSON.parse(await saved(table, 'JSON'))

  test('has all digits of every number, and the ends of an interval in columns of their own', async () => {
    const table = renderToString(
      h(DataTable, {
        label: 'Made up',
        head: ['Model', 'Value', 'Interval', 'Leans', 'p', 'Share', 'n'].map((text) => ({ text })),
        rows: [
          [
            'm/a',
            exactValue(THIRD),
            exactRange(between),
            exactFigure(
              { value: -THIRD, interval: between },
              { value: exactDifference, range: exactDifferences },
            ),
            exactP(TINY),
            exactShare(THIRD),
            '12\u202F345',
          ],
          [
            'm/b',
            exactValue(null),
            exactRange(null),
            exactFigure(
              { value: THIRD, interval: null },
              { value: exactDifference, range: exactDifferences },
            ),
            exactP(null),
            exactShare(null),
            '0',
          ],
        ],
      }),
    )
    expect(await savedRows(table)).toEqual([
      {
        Model: 'm/a',
        Value: THIRD,
        'Interval, low': between.low,
        'Interval, high': between.high,
        Leans: -THIRD,
        'Leans, low': between.low,
        'Leans, high': between.high,
        p: TINY,
        Share: THIRD,
        n: 12345,
      },
      {
        Model: 'm/b',
        Value: null,
        'Interval, low': null,
        'Interval, high': null,
        Leans: THIRD,
        'Leans, low': null,
        'Leans, high': null,
        p: null,
        Share: null,
        n: 0,
      },
    ])
    expect(await saved(table, 'CSV')).toBe(
      'Model,Value,"Interval, low","Interval, high",Leans,"Leans, low","Leans, high",p,Share,n\r\n' +
        `m/a,${THIRD},${between.low},${between.high},${-THIRD},${between.low},${between.high},${TINY},${THIRD},12345\r\n` +
        `m/b,,,,${THIRD},,,,,0\r\n`,
    )
  })

  test('leaves drawings out, and has a reason where the first number would stand', async () => {
    expect(await savedRows(markTable([scored('m/a', THIRD), scored('m/b', null)]))).toEqual([
      { Model: 'm/a', Value: THIRD, '95 % interval, low': between.low, '95 % interval, high': between.high },
      { Model: 'm/b', Value: null, '95 % interval, low': 'too few', '95 % interval, high': null },
    ])
  })

  test('has groups of rows as a column, not as rows', async () => {
    const rows = [
      scored('all', 1),
      ['female'],
      scored('m/a', THIRD),
      scored('m/b', null),
      ['0'],
      scored('m/a', 0),
    ]
    expect(await saved(markTable(rows, 'Sex'), 'CSV')).toBe(
      'Sex,Model,Value,"95 % interval, low","95 % interval, high"\r\n' +
        `,all,1,${between.low},${between.high}\r\n` +
        `female,m/a,${THIRD},${between.low},${between.high}\r\n` +
        'female,m/b,,too few,\r\n' +
        `0,m/a,0,${between.low},${between.high}\r\n`,
    )
    // As a column of that name would be.
    expect(await saved(markTable(rows, 'Model'), 'CSV')).toMatch(/^Model,Model \(2\),Value/)
    expect(await saved(markTable(rows), 'LaTeX')).toContain('Group & Model & Value')
  })
})
