import { expect, describe, test } from 'vitest'
import { randomKey, RandomStream } from '../../../targets/statistics/resampling/random-stream.ts'
import { benchmarkPath, modelPath, runPath } from '../../../tools/site/paths.ts'
import { chromiumPath } from './chromium.ts'
import {
  at,
  demoSite,
  deployment,
  labelled,
  MAIN,
  MODELS,
  SHOWN,
  tableIn,
  type Benchmark,
  type ShownCell,
  type Table,
} from './demo-site.ts'
import { meanOf } from './run-files.ts'

/** A number of a page, and what the runs' files make of it. */
interface Cell {
  readonly page: string
  readonly where: string
  readonly shown: number | string | undefined
  readonly known: number | string
}

/** The benchmark that a cell names, whatever stands beside its name. */
const benchmarkIn = (text: string): string =>
  Object.entries(SHOWN).find(([shown]) => text.includes(shown))?.[1] ?? ''

// Needs Chromium: Debian's package of that name, or MEDMAKE_CHROMIUM.
describe.skipIf(chromiumPath === undefined)('pages in Chromium', () => {
  const { files, board, runOf, cellOf, winRateOf, tablesOf, subgroupOf } = demoSite()

  const boardCells = async (): Promise<readonly Cell[]> => {
    const tables = await tablesOf('index.html', '', '.board-controls')
    const cells: Cell[] = []
    const shownBoard = tableIn(tables, ({ kind }) => kind.includes('board'))
    const column = (part: string): number => shownBoard.head.findIndex((head) => head.includes(part))
    for (const row of shownBoard.rows) {
      const model = Object.keys(MODELS).find((name) => row[2]?.text.startsWith(name)) ?? ''
      const tell = (where: string, part: string, known: string): number =>
        cells.push({
          page: 'leaderboard',
          where: `${model}, ${where}`,
          shown: row[column(part)]?.text,
          known,
        })
      tell(
        'win rate',
        'Win rate',
        expect.stringMatching(new RegExp(`^${winRateOf(model).toFixed(2)}`)) as string,
      )
      for (const [shown, name] of Object.entries(SHOWN))
        tell(shown, `Sort by ${shown}`, runOf(model, name).mean.toFixed(3))
      const [basics, sums] = [
        runOf(model, 'demo_multiple_choice').mean,
        runOf(model, 'demo_clinical_calculations').mean,
      ]
      tell('decisions', 'Sort by Clinical Decision Support', meanOf([basics, sums]).toFixed(2))
      const jury = (runOf(model, 'demo_patient_summaries').mean - 1) / 4
      tell('patients', 'Sort by Patient Communication', jury.toFixed(2))
    }
    const scores = tableIn(tables, ({ kind }) => kind.includes('scores'))
    for (const [model, ...row] of scores.rows)
      for (const [column, cell] of row.entries()) {
        const [, name = ''] =
          Object.entries(SHOWN).find(([shown]) => scores.head[column + 1]?.startsWith(shown)) ?? []
        const { mean, values } = runOf(model?.text ?? '', name)
        const { low = NaN, high = NaN } = cellOf(model?.text ?? '', name)?.interval ?? {}
        cells.push({
          page: 'leaderboard',
          where: `${model?.text ?? ''} on ${name} in full`,
          shown: cell.text.replaceAll(/\s+/g, ' '),
          known: expect.stringMatching(
            new RegExp(
              `^${mean.toFixed(3)} ?${low.toFixed(3)}–${high.toFixed(3)} ?n ${values.size}, 100 % measured`,
            ),
          ) as string,
        })
      }
    return cells
  }

  /** Mean, interval and number of instances, which several pages tell. */
  const scoreCells = (
    where: Pick<Cell, 'page' | 'where'>,
    table: Table,
    row: readonly ShownCell[],
    [model, benchmark]: readonly [string, string],
  ): readonly Cell[] => {
    const { mean, values } = runOf(model, benchmark)
    const [low, high] = at(table, row, '95 % interval').exact
    const interval = cellOf(model, benchmark)?.interval
    return [
      { ...where, shown: at(table, row, 'Mean').exact[0], known: mean },
      { ...where, shown: low, known: interval?.low ?? NaN },
      { ...where, shown: high, known: interval?.high ?? NaN },
      { ...where, shown: at(table, row, 'n').text, known: String(values.size) },
    ]
  }

  const benchmarkCells = async (): Promise<readonly Cell[]> => {
    const cells: Cell[] = []
    for (const name of Object.keys(MAIN) as Benchmark[]) {
      const tables = await tablesOf(benchmarkPath('demo', name))
      const results = labelled(tables, 'Results')
      for (const row of results.rows) {
        const model = at(results, row, 'Model').text
        // The figure's head begins with "Mean", too.
        const table = { ...results, head: results.head.map((head) => head.replace(/^Mean and.*/, '')) }
        cells.push(
          ...scoreCells({ page: 'benchmark', where: `${model} on ${name}` }, table, row, [model, name]),
        )
      }
      const pairs = labelled(tables, 'Differences between models')
      for (const row of pairs.rows) {
        const [a, b] = [at(pairs, row, 'Model A').text, at(pairs, row, 'Model B').text]
        const [left, right] = [runOf(a, name).values, runOf(b, name).values]
        const known = meanOf([...left].map(([id, value]) => (right.get(id) ?? NaN) - value))
        const shown = at(pairs, row, 'B − A').exact[0]
        cells.push({ page: 'benchmark', where: `${name}: ${b} − ${a}`, shown, known })
      }
      const hardest = labelled(tables, 'The hardest instances')
      for (const row of hardest.rows) {
        const id = at(hardest, row, 'Instance').text
        const all = Object.keys(MODELS).map((model) => runOf(model, name).values.get(id) ?? NaN)
        const where = { page: 'benchmark', where: `${name}, ${id}` }
        cells.push(
          { ...where, shown: at(hardest, row, 'Mean over models').exact[0], known: meanOf(all) },
          { ...where, shown: at(hardest, row, 'Best').exact[0], known: Math.max(...all) },
          { ...where, shown: at(hardest, row, 'Models').text, known: String(all.length) },
        )
      }
    }
    return cells
  }

  const subgroupCells = async (): Promise<readonly Cell[]> => {
    const table = labelled(await tablesOf(benchmarkPath('demo', 'demo_multiple_choice')), 'Scores by topic')
    let topic = ''
    return table.rows.flatMap((row): readonly Cell[] => {
      if (row.length === 1) topic = row[0]?.text ?? ''
      if (row.length === 1) return []
      const model = at(table, row, 'Model').text
      const values = subgroupOf(model, topic)
      const where = { page: 'subgroups', where: `${model} on ${topic}` }
      return [
        { ...where, shown: at(table, row, 'Value').exact[0], known: meanOf(values) },
        { ...where, shown: at(table, row, 'n').text, known: String(values.length) },
      ]
    })
  }

  const modelCells = async (): Promise<readonly Cell[]> => {
    const cells: Cell[] = []
    for (const model of Object.keys(MODELS)) {
      const table = labelled(await tablesOf(modelPath('demo', deployment(model))), 'Scores')
      for (const row of table.rows) {
        const name = benchmarkIn(at(table, row, 'Benchmark').text)
        // A heading of rows.
        if (row.length === 1) continue
        cells.push(...scoreCells({ page: 'model', where: `${model} on ${name}` }, table, row, [model, name]))
      }
    }
    const models = labelled(await tablesOf('models.html'), 'Models')
    for (const row of models.rows) {
      const model = at(models, row, 'Model').text
      const spent = board().rows.find((each) => each.model.deployment === deployment(model))?.spent
      const where = { page: 'model', where: `${model} in the list` }
      cells.push(
        { ...where, shown: at(models, row, 'Win rate').exact[0], known: winRateOf(model) },
        { ...where, shown: at(models, row, 'Tokens read').exact[0], known: spent?.inputTokens ?? NaN },
      )
    }
    return cells
  }

  const runCells = async (): Promise<readonly Cell[]> => {
    const cells: Cell[] = []
    for (const { run, means, values, scores, benchmark } of files()) {
      const [id = ''] = [...values.keys()].slice(-3)
      const tables = await tablesOf(runPath('demo', run), `#instance=${encodeURIComponent(id)}`, '.instance')
      const metrics = labelled(tables, 'Metrics')
      for (const [order, known] of means.entries())
        cells.push({
          page: 'run',
          where: `${run}, ${metrics.rows[order]?.[0]?.text ?? ''}`,
          shown: metrics.rows[order]?.[2]?.exact[0],
          known,
        })
      const instances = labelled(tables, 'Instances')
      for (const row of instances.rows) {
        const own = at(instances, row, 'Id').text
        const shown = at(instances, row, 'Score').text
        cells.push({
          page: 'run',
          where: `${run}, ${own}`,
          shown,
          known: (values.get(own) ?? NaN).toFixed(3),
        })
      }
      if (benchmark !== 'demo_patient_summaries') continue
      const grid = tableIn(tables, ({ kind }) => kind.includes('judge'))
      for (const [criterion, ...row] of grid.rows)
        for (const [column, cell] of row.entries())
          cells.push({
            page: 'run',
            where: `${run}, ${id}, ${criterion?.text ?? ''}`,
            shown: /^\d+/.exec(cell.text)?.[0],
            known: String(scores.get(id)?.[grid.head[column + 1] ?? '']?.[criterion?.text ?? '']),
          })
    }
    return cells
  }

  const compareCells = async (): Promise<readonly Cell[]> => {
    const cells: Cell[] = []
    const names = Object.keys(MODELS)
    for (const a of names)
      for (const b of names.filter((name) => name > a)) {
        const hash = `#a=${encodeURIComponent(deployment(a))}&b=${encodeURIComponent(deployment(b))}`
        const table = labelled(
          await tablesOf('compare.html', hash, '[aria-label="Paired differences in numbers"] tbody tr'),
          'Paired differences in numbers',
        )
        for (const row of table.rows) {
          const name = benchmarkIn(at(table, row, 'Benchmark').text)
          const [left, right] = [runOf(a, name), runOf(b, name)]
          const known = meanOf([...left.values].map(([id, value]) => (right.values.get(id) ?? NaN) - value))
          const where = { page: 'compare', where: `${b} − ${a} on ${name}` }
          cells.push(
            { ...where, shown: at(table, row, 'A').exact[0], known: left.mean },
            { ...where, shown: at(table, row, 'B').exact[0], known: right.mean },
            { ...where, shown: at(table, row, 'B − A').exact[0], known },
            { ...where, shown: at(table, row, 'n').text, known: String(left.values.size) },
          )
        }
      }
    return cells
  }

  const judgeCells = async (): Promise<readonly Cell[]> => {
    const table = labelled(await tablesOf('judges.html'), 'Judgements that count')
    return table.rows.flatMap((row) => {
      const name = benchmarkIn(at(table, row, 'Benchmark').text)
      const judge = at(table, row, 'Judge').text
      const answers = files()
        .filter(({ benchmark }) => benchmark === name)
        .flatMap(({ scores }) => [...scores.values()])
      const counted = answers.filter((each) => each[judge] !== undefined).length
      const where = { page: 'judges', where: `${judge} on ${name}` }
      return [
        { ...where, shown: at(table, row, 'Asked').text, known: String(answers.length) },
        { ...where, shown: at(table, row, 'Count').text, known: String(counted) },
        { ...where, shown: at(table, row, 'Share').exact[0], known: counted / answers.length },
      ]
    })
  }

  const releaseCells = async (): Promise<readonly Cell[]> => {
    const tables = await tablesOf('releases.html')
    const moved = labelled(tables, 'What moved')
    // All scores stand on the same answers: none is tested.
    expect(tables.some(({ label }) => label === 'Further scores')).toBe(false)
    return moved.rows.flatMap((row) => {
      const model = at(moved, row, 'Model').text
      const where = { page: 'releases', where: model }
      return [
        { ...where, shown: at(moved, row, 'Win rate before').exact[0], known: winRateOf(model) },
        { ...where, shown: at(moved, row, 'Win rate now').exact[0], known: winRateOf(model) },
      ]
    })
  }

  const expectEqual = ({ page: name, where, shown, known }: Cell): void => {
    const what = `${name}: ${where}`
    if (typeof known !== 'number') expect(shown, what).toEqual(known)
    else {
      expect(typeof shown, what).toBe('number')
      // Sums in another order differ in the last digit.
      expect(Math.abs(Number(shown) - known), `${what}: ${shown} for ${known}`).toBeLessThanOrEqual(
        1e-12 * Math.max(1, Math.abs(known)),
      )
    }
  }

  test('show, in 200 random cells of every kind, what the files of the runs say', async () => {
    const kinds = [
      boardCells,
      benchmarkCells,
      subgroupCells,
      modelCells,
      runCells,
      compareCells,
      judgeCells,
      releaseCells,
    ]
    const random = new RandomStream(randomKey('cells of pages'), 0)
    let looked = 0
    for (const kind of kinds) {
      const cells = [...(await kind())]
      expect(cells.length, kind.name).toBeGreaterThan(2)
      // All where a kind has few; else 40 that are drawn.
      for (let left = 40; left > 0 && cells.length > 0; left -= 1) {
        const [cell] = cells.splice(random.below(cells.length), 1)
        if (cell !== undefined) expectEqual(cell)
        looked += 1
      }
    }
    expect(looked).toBeGreaterThanOrEqual(200)
  }, 120_000)
})
