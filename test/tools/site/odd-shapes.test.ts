import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatValue } from '../../../cache/words/number-text.ts'
import type { Interval } from '../../../targets/statistics/intervals/wilson.ts'
import { meanInterval } from '../../../targets/statistics/intervals/mean-interval.ts'
import { boardText } from '../../../tools/site/board-text.ts'
import { DEFAULT_STATE } from '../../../tools/site/pages/leaderboard/state.ts'
import { decide } from '../../../tools/site/pages/leaderboard/decide.ts'
import { boardView } from '../../../tools/site/pages/leaderboard/board/board-view.ts'
import { chromiumPath } from './chromium.ts'
import { ODD_SUITES, oddSuite, suiteOfRuns } from './odd-suites.ts'
import { dataOf, headlineOf } from './pages/leaderboard/views.ts'
import { expectToFit, siteBrowser, unreached } from './site-browser.ts'
import { violations } from './violations.ts'

const TOO_FEW = 'Too few benchmarks to speak of others like them.'

/** What headline and decision say of each; nothing of it may be more than is known. */
const SAID: Readonly<Record<string, readonly [headline: string, decision: string]>> = {
  'one model': [
    'a/able is the only model on one model Places and win rates need a second model to compare it with; its scores stand below.',
    'There is only one model, and nothing to compare it with.',
  ],
  'one run': [
    'a/able is the only model on one run Places and win rates need a second model to compare it with; its scores stand below.',
    'There is only one model, and nothing to compare it with.',
  ],
  'all failed': [
    'Nobody is ranked on all failed Nothing was measured: 270 provider errors.',
    'No model is ranked on these benchmarks.',
  ],
  'no direction': [
    'Nobody is ranked on no direction No benchmark compares anybody: on each nobody says what is better.',
    'No model is ranked on these benchmarks.',
  ],
  holes: [
    `No model is measured in full on holes 0 models ranked over 3 benchmarks. ${TOO_FEW} Not ranked: c/careful (2 of 3 benchmarks), b/blunt (2 of 3 benchmarks) and a/able (2 of 3 benchmarks).`,
    'No model is ranked on these benchmarks.',
  ],
  'open scales': [
    `c/careful has the best win rate on open scales 3 models ranked over 3 benchmarks. How sure the order is can’t be told: none of these benchmarks has a scale with ends that all values lie on. ${TOO_FEW}`,
    'c/careful has the best win rate of 3 allowed models. How sure that is was not tested for these benchmarks, so none is recommended.',
  ],
  'lower is better': [
    `c/careful is first on lower is better, by average 3 models ranked over 3 benchmarks. ${TOO_FEW}`,
    'the best of 3 allowed models. Its chance to be first of all ranked is 0.99.',
  ],
}

describe('of a suite of an odd shape', () => {
  for (const [name, [headline, decision]] of Object.entries(SAID))
    test(`headline and decision say what is known: ${name}`, () => {
      const view = boardView(dataOf(oddSuite(name)), DEFAULT_STATE)
      expect(headlineOf(view).trim()).toBe(headline)
      const { reason, caveat } = decide(view, DEFAULT_STATE)
      expect(`${reason} ${caveat}`.trim()).toBe(decision)
    })

  test('a benchmark whose values lie off its scale is in no average, and the headline says so', () => {
    const name = 'values off their scale'
    const view = boardView(dataOf(oddSuite(name)), DEFAULT_STATE)
    expect([view.compared, view.averaged]).toEqual([3, 2])
    expect(headlineOf(view)).toContain(
      'over 2 of 3 benchmarks. Averages, ties and ranks rest on 2 benchmarks alone: the other one has no scale with ends that all values lie on.',
    )
  })
})

test('An average lies in its interval, whatever the shape of the suite', () => {
  let known = 0
  for (const name of Object.keys(ODD_SUITES)) {
    const suite = oddSuite(name)
    const view = boardView(dataOf(suite), DEFAULT_STATE)
    for (const { model, average, averageInterval } of suite.board.rows) {
      const shown = view.all.find(({ key }) => key === model.deployment)
      if (average !== null) expect(shown?.average.mean, name).toBe(average)
      if (averageInterval === null) continue
      known += 1
      expect(average, name).toBeGreaterThanOrEqual(averageInterval.low)
      expect(average, name).toBeLessThanOrEqual(averageInterval.high)
    }
  }
  expect(known).toBeGreaterThan(60)
})

test('A board of one model tells the intervals of its average and of its categories, in text and on the page', () => {
  const { board, tasks = [] } = oddSuite('one model')
  const samples = (ODD_SUITES['one model'] ?? []).map(({ benchmark = '', values }) => ({ benchmark, values }))
  const over = (names: readonly string[]) =>
    meanInterval(
      samples.filter(({ benchmark }) => names.includes(benchmark)),
      { isBinary: false, range: { low: 0, high: 1 } },
      0.95,
    ).interval
  const [row] = board.rows
  expect(row?.averageInterval).toEqual(over(board.averageColumns))
  // Of one benchmark it is the cell's.
  const cells = new Map(board.benchmarks.map(({ name }, at) => [name, row?.cells[at]?.interval]))
  expect(tasks.map(({ averages }) => averages)).toEqual(
    tasks.map(({ benchmarks }) => [
      benchmarks.length === 1 ? cells.get(benchmarks[0] ?? '') : over(benchmarks),
    ]),
  )
  const view = boardView(dataOf(oddSuite('one model')), DEFAULT_STATE)
  const [shown] = view.all
  expect(shown?.average.interval).toEqual(inSixDigits(row?.averageInterval))
  expect(shown?.scores.map(({ interval }) => interval)).toEqual(
    tasks.map(({ averages }) => inSixDigits(averages[0])),
  )
  const { low = NaN, high = NaN } = row?.averageInterval ?? {}
  expect(boardText({ board, runs: [] }, { width: 200, colour: false })).toContain(
    `${formatValue(row?.average ?? NaN)} (${formatValue(low)}–${formatValue(high)})`,
  )
})

const inSixDigits = (interval: Interval | null | undefined): Interval | null =>
  interval == null
    ? null
    : { low: Number(interval.low.toPrecision(6)), high: Number(interval.high.toPrecision(6)) }

test('Benchmarks of one instance, or on which models were asked nothing alike, are named wherever ties are told', () => {
  const sketches = ['a/able', 'b/blunt'].flatMap((model, at) => [
    { model, benchmark: 'b1', values: [1 - at] },
    { model, benchmark: 'c2', values: Array.from({ length: 30 }, () => 1 - at) },
  ])
  const lone = suiteOfRuns('lone', sketches)
  const view = boardView(dataOf(lone), DEFAULT_STATE)
  expect(headlineOf(view)).toContain('no chance can be told: Benchmark b1 has one instance, or one patient.')
  expect(decide(view, DEFAULT_STATE)).toMatchObject({
    reason: expect.stringContaining('as Benchmark b1 has one instance') as string,
    caveat: 'Leave out Benchmark b1 below.',
  })
  expect(boardText(lone, { width: 200, colour: false })).toContain(
    'Of Benchmark b1 a model was asked one instance, or one patient’s alone: its average is told apart from none.',
  )
  // Without it, nothing is said.
  expect(boardView(dataOf(lone), { ...DEFAULT_STATE, only: 'c2' }).oneSource).toEqual([])
  const apart = suiteOfRuns('apart', sketches, (id, run) => (run.includes('c2') ? `${run} ${id}` : id))
  expect(headlineOf(boardView(dataOf(apart), DEFAULT_STATE))).toContain(
    'Models that were asked nothing alike on Benchmark c2 are not told apart.',
  )
  expect(boardText(apart, { width: 200, colour: false })).toContain(
    'Models that were asked nothing alike on Benchmark c2 are not told apart.',
  )
})

test('Answers that were lost make no benchmark one of a single instance, and no tie one that can’t be told', () => {
  const lossy = (model: string, values: readonly number[]) => ({
    model,
    values,
    benchmark: 'b1',
    isBinary: false,
    coverageFloor: 0,
  })
  const all = (value: number, keeps: (at: number) => boolean): readonly number[] =>
    Array.from({ length: 12 }, (_, at) => (keeps(at) ? value + at / 200 : NaN))
  // Of a third model one answer of twelve could be read: the tests part the other two, and hold it by bounds.
  const one = suiteOfRuns('one', [
    lossy(
      'a/able',
      all(0.9, () => true),
    ),
    lossy(
      'b/blunt',
      all(0.2, () => true),
    ),
    lossy(
      'c/careful',
      all(0.5, (at) => at === 0),
    ),
  ])
  expect(one.board.rows.map(({ cells }) => cells[0]?.groups)).toEqual(['a', 'ab', 'b'])
  // Of these two none was read of both.
  const none = suiteOfRuns('none', [
    lossy(
      'a/able',
      all(0.9, (at) => at < 6),
    ),
    lossy(
      'b/blunt',
      all(0.2, (at) => at >= 6),
    ),
  ])
  for (const [suite, title] of [
    [one, 'Two of 3 models are tied for first on one'],
    [none, 'Both models ranked are tied for first on none'],
  ] as const) {
    const view = boardView(dataOf(suite), DEFAULT_STATE)
    const text = boardText(suite, { width: 200, colour: false })
    expect(headlineOf(view)).toContain(title)
    expect(text).toContain(
      'no chance can be told: too little, or nothing that varies, could be read of the same instances.',
    )
    expect(text).not.toMatch(/one instance|Chance to be first/)
    expect(decide(view, DEFAULT_STATE)).toMatchObject({
      take: { label: 'a/able' },
      caveat: 'Its chance to be first of all ranked is not known.',
    })
  }
})

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
for (const [name, sketches] of Object.entries(ODD_SUITES))
  describe.skipIf(chromiumPath === undefined)(`the site of a suite of an odd shape: ${name}`, () => {
    const { urls, folder, open } = siteBrowser(() => [oddSuite(name)])

    test('is sound on every page, and its numbers are those of the runs', async () => {
      const first = (kind: string): string =>
        `${kind}/${readdirSync(join(folder(), kind)).find((file) => file.endsWith('.html')) ?? ''}`
      const pages = readdirSync(folder()).filter((file) => file.endsWith('.html'))
      const { page, faults, close } = await open('about:blank')
      for (const path of [...pages, first('benchmarks'), first('model')]) {
        await page.goto(urls().disk + path)
        if (path === 'index.html') await page.locator('.board-controls').waitFor()
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
        // On others nothing is laid out otherwise in a window wider than 1280.
        const isWide = ['index.html', 'figures.html', 'compare.html'].includes(path)
        for (const width of [320, ...(isWide ? [1920] : []), 1280]) await expectToFit(page, width, path)
        expect(await violations(page), path).toEqual([])
        if (path !== 'index.html') expect(await unreached(page), path).toEqual([])
        else {
          const shown = await page
            .locator('.scores tbody tr')
            .evaluateAll((rows) =>
              rows.map((row) => [...row.children].map((cell) => cell.textContent.trim())),
            )
          const known = sketches.filter(({ model }) => shown.some(([label]) => label === model))
          expect(known.length, path).toBe(sketches.length)
          const columns = [...new Set(sketches.map(({ benchmark }) => benchmark))]
          for (const { model, benchmark, values } of known) {
            const row = shown.find(([label]) => label === model) ?? []
            const mean = values.reduce((sum, value) => sum + value, 0) / values.length
            const text = values.length === 0 ? '–' : formatValue(mean)
            const head = await page.locator('.scores thead').first().textContent()
            const order = columns.toSorted(
              (a, b) => (head ?? '').indexOf(`Benchmark ${a}`) - (head ?? '').indexOf(`Benchmark ${b}`),
            )
            expect(row[order.indexOf(benchmark) + 1], `${model} on ${benchmark}`).toMatch(
              new RegExp(`^~?${text.replace('.', '\\.')}`),
            )
          }
        }
        expect(faults, path).toEqual([])
      }
      await close()
    }, 120_000)
  })

describe.skipIf(chromiumPath === undefined)('a board of long names on a phone', () => {
  const { urls, open } = siteBrowser(() => [oddSuite('long names')])

  test('tells its models apart, and fits at twice the size of letters', async () => {
    const { page, close } = await open(`${urls().disk}index.html`)
    await page.locator('.board-controls').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const names = await page.evaluate<readonly string[]>(`(() => {
      const letters = document.createRange()
      return [...document.querySelectorAll('.board .model-name')].map((link) => {
        const { bottom } = link.getBoundingClientRect()
        const text = link.firstElementChild.firstChild
        return [...text.data].filter((_, at) => {
          letters.setStart(text, at)
          letters.setEnd(text, at + 1)
          return letters.getBoundingClientRect().bottom <= bottom + 2
        }).join('')
      })
    })()`)
    expect([names.length, new Set(names).size], names.join('; ')).toEqual([4, 4])
    await page.locator('.benchmark-choice summary').click()
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    await expectToFit(page, 390, 'letters of twice the size')
    await page.evaluate('document.documentElement.style.fontSize = ""')
    await close()
  })
})
