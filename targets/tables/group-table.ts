import { meanOf } from '../statistics/mean.ts'
import { float, numberOf, str } from '../../benchmarks/python/numbers/number.ts'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { adapterKey, coarse, ADAPTER_KEYS, adapterValue } from './adapter-key.ts'
import { buildColumns, type Column, type ColumnRequest } from './columns.ts'
import type { ByAdapter } from './grouped-runs.ts'
import { metricCell } from './cells/metric-cell.ts'
import { type ModelIndex, findModel } from './models.ts'
import {
  type TableRun,
  type Cell,
  type HeaderCell,
  type HelmTable,
  type Hyperlink,
  equalityKey,
} from './table.ts'
import type { AggregationStrategy, RunGroup, SchemaIndex } from './schema/schema.ts'
import { winRates, type WinRateColumn } from './cells/win-rate.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { dumps } from '../../benchmarks/python/dumps.ts'
import { groupBy } from '../../cache/lists.ts'
import { shownAdapter } from '../access/discreet-texts.ts'

/** What every table of one summary is built from. */
export interface TableContext {
  readonly index: SchemaIndex
  readonly models: ModelIndex
  /** Names the runs of every cell in its description. */
  readonly debug: boolean
}

export interface TableRequest {
  readonly name: string
  readonly title: string
  /** The group that links to runs name. */
  readonly group: RunGroup
  readonly rows: readonly ByAdapter[]
  readonly columns: readonly ColumnRequest[]
  /** Aggregate columns after the first, in this order. */
  readonly aggregation: readonly AggregationStrategy[]
  /** A table of one scenario: its rows link to their runs. */
  readonly isScenarioTable: boolean
  readonly subSplit?: string
}

/** Runs by coarse adapter spec, in the order they come. */
export const coarsen = (adapters: readonly ByAdapter[], keys: readonly string[]): readonly ByAdapter[] => {
  const rows = new Map<string, { adapter: TableRun['adapter']; runs: TableRun[] }>()
  for (const { adapter, runs } of adapters) {
    const kept = coarse(adapter, keys)
    const key = adapterKey(kept)
    const row = rows.get(key)
    if (row === undefined) rows.set(key, { adapter: kept, runs: [...runs] })
    else row.runs.push(...runs)
  }
  return [...rows.values()]
}

/** Deployments that are no model names first, by name; then in registry order (HELM.md T23). */
const sortRows = (rows: readonly ByAdapter[], models: ModelIndex): readonly ByAdapter[] => {
  const place = ({ adapter }: ByAdapter): number => models.place.get(adapter.modelDeployment) ?? -1
  return rows.toSorted(
    (a, b) => place(a) - place(b) || compareCodePoints(a.adapter.modelDeployment, b.adapter.modelDeployment),
  )
}

const AGGREGATES: Record<AggregationStrategy, HeaderCell> = {
  win_rate: {
    value: 'Mean win rate',
    description: 'How many models this model outperforms on average (over columns).',
    markdown: false,
    lowerIsBetter: false,
    metadata: new Map(),
  },
  mean: {
    value: 'Mean score',
    description: 'The mean of the scores from all columns.',
    markdown: false,
    metadata: new Map(),
  },
}

const aggregateCell = (value: number | undefined): Cell =>
  value === undefined ? { markdown: false } : { value: float(value), markdown: false }

const scoreOf = (cell: Cell | undefined): number | undefined =>
  cell?.value === undefined || typeof cell.value === 'string' ? undefined : numberOf(cell.value)

/** Marks the best values of each column that says what is better. */
const bold = (
  header: readonly HeaderCell[],
  rows: readonly (readonly Cell[])[],
): readonly (readonly Cell[])[] => {
  const best = header.map(({ lowerIsBetter }, column) => {
    const values = rows.flatMap((row) => scoreOf(row[column]) ?? [])
    if (lowerIsBetter === undefined || values.length === 0) return undefined
    return values.reduce((a, b) => (lowerIsBetter ? Math.min(a, b) : Math.max(a, b)))
  })
  return rows.map((row) =>
    row.map((cell, column) => {
      const score = scoreOf(cell)
      return score === undefined || score !== best[column]
        ? cell
        : { ...cell, style: new Map([...(cell.style ?? []), ['font-weight', 'bold']]) }
    }),
  )
}

const firstCell = (label: string, runs: readonly TableRun[], request: TableRequest): Cell => {
  if (!request.isScenarioTable) return { value: label, description: '', markdown: false }
  const runSpecNames = runs.map((run) => run.name)
  const href = runsUrl(runSpecNames, request.group.name, request.title)
  return { value: label, description: '', href, markdown: false, runSpecNames }
}

const metricCells = (
  runs: readonly TableRun[],
  columns: readonly Column[],
  request: TableRequest,
  debug: boolean,
): readonly Cell[] =>
  columns.map(({ group, matcher }) => {
    const members = runs.filter((run) => run.groups.includes(group.name))
    const narrowed = request.subSplit === undefined ? matcher : { ...matcher, subSplit: request.subSplit }
    return metricCell(members, narrowed, { runSpecNames: !request.isScenarioTable, debug })
  })

/** Builds one table of a group (HELM.md T23), without the links to its own files. */
export const buildTable = (request: TableRequest, { index, models, debug }: TableContext): HelmTable => {
  const columns = buildColumns(request.columns, index)
  const rows = sortRows(request.rows, models)
  const labels = rowLabels(rows, models)
  const scores = rows.map(({ runs }) => metricCells(runs, columns, request, debug))
  const scoreColumns: WinRateColumn[] = columns.map(({ header }, column) => ({
    ...(header.lowerIsBetter === undefined ? {} : { lowerIsBetter: header.lowerIsBetter }),
    values: scores.map((row) => scoreOf(row[column])),
  }))
  const aggregates = request.aggregation.map((strategy) =>
    strategy === 'mean' ? meanScores(scoreColumns, rows.length) : winRates(scoreColumns, rows.length),
  )
  const header: HeaderCell[] = [
    { value: 'Model', markdown: false, metadata: new Map() },
    ...request.aggregation.map((strategy) => AGGREGATES[strategy]),
    ...columns.map((column) => column.header),
  ]
  const cells = rows.map(({ runs }, row) => [
    firstCell(labels[row] ?? '', runs, request),
    ...aggregates.map((values) => aggregateCell(values[row])),
    ...(scores[row] ?? []),
  ])
  const names = request.rows.flatMap(({ runs }) => runs.map((run) => run.name))
  return {
    title: request.title,
    header,
    rows: bold(header, cells),
    links: request.isScenarioTable ? compareLinks(names, request.group.name, request.title) : [],
    name: request.name,
  }
}

/**
 * Mean of each row's values, added from left to right as HELM does; undefined for a row without any.
 * @throws ProblemError `targets/mixed-directions` when lower is better in some columns and not in others
 */
export const meanScores = (
  columns: readonly WinRateColumn[],
  rows: number,
): readonly (number | undefined)[] => {
  if (new Set(columns.map(({ lowerIsBetter }) => lowerIsBetter)).size > 1)
    throw new ProblemError({
      code: 'targets/mixed-directions',
      message: 'A mean is asked of columns of which lower is better in some and not in others.',
      where: { field: 'metric_groups' },
      remedy: 'Take mean out of aggregation_strategies of this metric group, or split the group.',
    })
  return Array.from({ length: rows }, (_, row) => {
    const values = columns.flatMap(({ values }) => values[row] ?? [])
    return values.length === 0 ? undefined : meanOf(values)
  })
}

/** Python's `urllib.parse.quote` with no safe characters: only letters, digits and `_.-~` stay. */
export const quote = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Address of the front-end's page that shows runs side by side (HELM.md T23). */
export const runsUrl = (runSpecNames: readonly string[], group: string, subgroup: string): string =>
  `?group=${quote(group)}&subgroup=${quote(subgroup)}&runSpecs=${quote(dumps(runSpecNames))}`

const MOST_COMPARED = 5

/** Link to all runs of a table, where they are few enough to compare. */
const compareLinks = (
  runSpecNames: readonly string[],
  group: string,
  subgroup: string,
): readonly Hyperlink[] =>
  runSpecNames.length < 2 || runSpecNames.length > MOST_COMPARED
    ? []
    : [{ text: 'compare all', href: runsUrl(runSpecNames, group, subgroup) }]

type Adapter = TableRun['adapter']

const MODEL_KEYS = ['model_deployment', 'model']

/** Fields that a row shows besides its model: those needed, in HELM's order, until no other row has the same. */
const distinguishing = (rows: readonly Adapter[]): readonly (readonly string[])[] => {
  const values = new Map(
    ADAPTER_KEYS.map((key) => [key as string, rows.map((row) => equalityKey(adapterValue(row, key)))]),
  )
  const differing: readonly string[] = ADAPTER_KEYS.filter((key) => new Set(values.get(key)).size > 1)
  const shown: string[][] = rows.map(() => [])
  /** Rows that are alike in the keys so far. */
  let groups: (readonly number[])[] = [rows.map((_, at) => at)]
  for (const key of [
    ...MODEL_KEYS.filter((key) => differing.includes(key)),
    ...differing.filter((key) => !MODEL_KEYS.includes(key)),
  ]) {
    groups = groups.filter((group) => group.length > 1)
    if (!MODEL_KEYS.includes(key)) for (const at of groups.flat()) shown[at]?.push(key)
    groups = groups.flatMap((group) => [...groupBy(group, (at) => values.get(key)?.[at]).values()])
  }
  return shown
}

const modelName = (adapter: Adapter, models: ModelIndex): string => {
  const name = findModel(adapter, models)?.displayName ?? adapter.model
  return name === '' ? '???' : name
}

/** First cell of each row: the model's display name and what tells it from other rows of that model. */
export const rowLabels = (
  rows: readonly { readonly adapter: Adapter; readonly runs: readonly Pick<TableRun, 'isRestricted'>[] }[],
  models: ModelIndex,
): readonly string[] => {
  const keys = distinguishing(rows.map(({ adapter }) => adapter))
  return rows.map(({ adapter, runs }, index) => {
    const access = runs.some(({ isRestricted }) => isRestricted === true) ? 'private' : 'public'
    const told = shownAdapter(adapter, { access })
    const details = (keys[index] ?? []).map((key) => `${key}: ${str(adapterValue(told, key))}`)
    return modelName(adapter, models) + (details.length === 0 ? '' : ` [${details.join(', ')}]`)
  })
}
