import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Board } from '../../../targets/board/board.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { sharedChromium } from './chromium.ts'
import { readRunFiles, winRatesOf, type RunFiles } from './run-files.ts'

export const MAIN = {
  demo_multiple_choice: 'exact_match',
  demo_clinical_calculations: 'exact_match',
  demo_patient_summaries: 'jury_score',
} as const
export type Benchmark = keyof typeof MAIN
export const SHOWN: Readonly<Record<string, Benchmark>> = {
  'Medical basics (demo)': 'demo_multiple_choice',
  'Clinical calculations (demo)': 'demo_clinical_calculations',
  'Patient summaries (demo)': 'demo_patient_summaries',
}
/** As the models are called on pages, and in names of runs. */
export const MODELS: Readonly<Record<string, string>> = {
  'First choice': 'baseline_first-choice',
  Lead: 'baseline_lead',
  'Lexical overlap': 'baseline_lexical-overlap',
  'Random choice': 'baseline_random-choice',
}
export const deployment = (model: string): string => (MODELS[model] ?? '').replace('_', '/')

export interface ShownCell {
  readonly text: string
  /** With all digits. */
  readonly exact: readonly number[]
}

export interface Table {
  readonly label: string
  readonly kind: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly ShownCell[])[]
}

const TABLES = `[...document.querySelectorAll('table')].map((table) => ({
  label: table.getAttribute('aria-label') ?? table.closest('[aria-label]')?.getAttribute('aria-label') ?? '',
  kind: table.className,
  head: [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])].map((cell) => cell.textContent.trim()),
  rows: [...table.tBodies].flatMap((body) => [...body.rows]).map((row) => [...row.cells].map((cell) => ({
    text: cell.textContent.trim(),
    exact: [...cell.querySelectorAll('data')].map((data) => Number(data.value)),
  }))),
}))`

export const tableIn = (tables: readonly Table[], isIt: (table: Table) => boolean): Table => {
  const found = tables.find(isIt)
  if (found === undefined) throw new RangeError(`none of ${tables.map(({ label }) => label).join(', ')}`)
  return found
}
export const labelled = (tables: readonly Table[], label: string): Table =>
  tableIn(tables, (table) => table.label === label)
/** A cell by the beginning of its column's head. */
export const at = ({ head }: Table, row: readonly ShownCell[], name: string): ShownCell => {
  const cell = row[head.findIndex((each) => each === name || each.startsWith(`${name} `))]
  if (cell === undefined) throw new RangeError(`no ${name} in ${head.join(', ')}`)
  return cell
}

/** The demo, run, released and reported by the real program, with what its files say; for the tests of a file. */
export const demoSite = () => {
  let root = ''
  let files: readonly RunFiles[] = []
  let board: Board
  let page: Page
  const site = (path: string): string => join(root, 'benchmark_output/site', path)

  beforeAll(async () => {
    root = createWorkspace({})
    mkdirSync(join(root, 'targets'), { recursive: true })
    copyFileSync('targets/demo.conf', join(root, 'targets/demo.conf'))
    for (const args of [
      ['run', 'demo'],
      ['release', 'create', 'earlier', '--suites', 'demo'],
    ])
      expect(await medmake(args, { cwd: root })).toMatchObject({ code: 0 })
    const told = await medmake(['report', 'demo', '--history', 'earlier', '--json'], { cwd: root })
    expect(told).toMatchObject({ code: 0 })
    const { stdout } = told
    board = (JSON.parse(stdout) as { readonly boards: readonly [Board] }).boards[0]
    files = readRunFiles(join(root, 'benchmark_output/runs/demo'), MAIN)
    const browser = await sharedChromium()
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  }, 120_000)

  afterAll(() => page.context().close())

  const runOf = (model: string, benchmark: string): RunFiles => {
    const found = files.find((run) => run.model === MODELS[model] && run.benchmark === benchmark)
    if (found === undefined) throw new RangeError(`no run of ${model} on ${benchmark}`)
    return found
  }
  const cellOf = (model: string, benchmark: string): Board['rows'][number]['cells'][number] | undefined =>
    board.rows.find((row) => row.model.deployment === deployment(model))?.cells[
      board.benchmarks.findIndex(({ name }) => name === benchmark)
    ]
  const winRateOf = (model: string): number => {
    const names = Object.keys(MODELS)
    const columns = Object.keys(MAIN).map((name) => names.map((each) => runOf(each, name).mean))
    return winRatesOf(columns)[names.indexOf(model)] ?? NaN
  }

  const tablesOf = async (path: string, hash = '', ready = 'table'): Promise<readonly Table[]> => {
    // Else another part of a page that is open would not load it.
    await page.goto('about:blank')
    await page.goto(`${pathToFileURL(site(path)).href}${hash}`)
    await page.locator(ready).first().waitFor({ state: 'attached' })
    return page.evaluate<readonly Table[]>(TABLES)
  }
  const topics = (): ReadonlyMap<string, readonly string[]> => {
    const rows = parse(readFileSync('benchmarks/catalog/demo_multiple_choice/data.csv', 'utf8'), {
      columns: true,
    }) as readonly Readonly<Record<'item' | 'topic', string>>[]
    const groups = new Map<string, string[]>()
    for (const { item, topic } of rows) groups.set(topic, [...(groups.get(topic) ?? []), item])
    return groups
  }
  const subgroupOf = (model: string, topic: string): readonly number[] =>
    (topics().get(topic) ?? []).map((id) => runOf(model, 'demo_multiple_choice').values.get(id) ?? NaN)
  return {
    files: () => files,
    board: () => board,
    page: () => page,
    site,
    runOf,
    cellOf,
    winRateOf,
    tablesOf,
    topics,
    subgroupOf,
  }
}
