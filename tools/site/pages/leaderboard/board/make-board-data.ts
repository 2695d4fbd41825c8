import { isRanked, isThere, scoredOf, type BoardCell } from '../../../../../targets/board/board-cell.ts'
import type { Board, BoardRow } from '../../../../../targets/board/board.ts'
import { addCauses } from '../../../../../targets/record/coverage.ts'
import { causesText, incompleteText } from '../../../../compare/coverage-text.ts'
import { shownBenchmark } from '../../../content/shown-benchmark.ts'
import { modelPath } from '../../../paths.ts'
import type { SiteSuite } from '../../../site.ts'
import { benchmarkValuesKey, scenariosOf } from '../../../values/values-files.ts'
import { visibleText } from '../../../visible-text.ts'
import { coverageOf } from '../../taxonomy/coverage.ts'
import { doubtData, nearly, plain, shown, spentData } from '../rank-data.ts'
import type { BoardData, ModelData, ScoreData, CellStanding } from './board-data.ts'

/** What the leaderboard's script loads of a suite. @param told what of a number that says how sure a rank is: as many digits as a page needs */
export const makeBoardData = (suite: SiteSuite, told = nearly): BoardData => {
  const { board, tasks = [], benchmarks: about = [], models = [] } = suite
  const valued = new Set(scenariosOf(suite).map(({ benchmark }) => benchmark))
  const methods = methodsOf(board.rows)
  const errata = new Map(
    about.map((each) => [each.benchmark, each.errata.map(({ about: text }) => visibleText(text))]),
  )
  const places = new Map(board.benchmarks.map(({ name }, at) => [name, at]))
  return {
    suite: board.suite,
    columns: board.benchmarks.map((benchmark) => ({
      key: benchmark.name,
      ...shownBenchmark(board.suite, benchmark),
      subcategory: visibleText(benchmark.subcategory ?? ''),
      ...(valued.has(benchmark.name) ? { values: benchmarkValuesKey(board.suite, benchmark.name) } : {}),
      errata: errata.get(benchmark.name) ?? [],
      ...(isUnchecked(suite, benchmark.name) ? { isUnchecked: true as const } : {}),
    })),
    models: board.rows.map((row) => {
      const hosting = models.find(({ deployment }) => deployment === row.model.deployment)?.hosting
      return { ...modelData(board.suite, row, methods), ...(hosting === undefined ? {} : { hosting }) }
    }),
    tasks: [
      {
        category: '',
        subcategory: '',
        columns: board.benchmarks.map((_, at) => at),
        ...doubtData(
          board.rows.map(({ rank }) => rank),
          board.rows.map(({ averageInterval }) => averageInterval),
          places,
          told,
        ),
        spent: board.rows.map(({ spent }) => spentData(spent)),
      },
      ...tasks.map(({ category, subcategory, benchmarks, ranks, averages, spent }) => ({
        category: visibleText(category),
        subcategory: visibleText(subcategory),
        columns: benchmarks.flatMap((name) => places.get(name) ?? []),
        ...doubtData(ranks, averages, places, told),
        spent: spent.map(spentData),
      })),
    ],
    ...lostData(board),
    ...askedData(suite),
    likeTheseReason: board.rows.find(({ rank }) => rank !== null)?.rank?.likeTheseReason ?? '',
    methods,
  }
}

/** Neither calibrated by clinicians’ labels nor held against their ratings. */
const isUnchecked = ({ board, judges = [] }: SiteSuite, name: string): boolean => {
  const at = board.benchmarks.findIndex((each) => each.name === name)
  const cells = board.rows.flatMap((row) => row.cells[at] ?? [])
  return (
    cells.some(({ judgements }) => judgements !== undefined) &&
    cells.every(({ calibrated }) => calibrated === null) &&
    judges.every(({ column, clinicians }) => column !== name || clinicians === undefined)
  )
}

const lostData = ({ rows }: Board): Pick<BoardData, 'lost'> => {
  const cells = rows.flatMap((row) => row.cells)
  const lost = causesText(addCauses(cells.map(({ causes }) => causes)))
  return lost === '' || cells.some(({ value }) => value !== null) ? {} : { lost }
}

const askedData = (suite: SiteSuite): Pick<BoardData, 'asked'> => {
  const coverage = suite.taxonomy === undefined ? [] : coverageOf(suite.taxonomy, suite)
  const asked = coverage.filter(({ run }) => run.length > 0).length
  return coverage.length === 0 ? {} : { asked: [asked, coverage.length] }
}

const methodOf = ({ intervalMethod, intervalReason }: BoardCell): string =>
  visibleText([intervalMethod, intervalReason].filter((part) => part !== '').join('; '))

const methodsOf = (rows: readonly BoardRow[]): readonly string[] =>
  [...new Set(rows.flatMap(({ cells }) => cells.map(methodOf)))].filter((method) => method !== '')

const modelData = (
  suite: string,
  { model, label, cells }: BoardRow,
  methods: readonly string[],
): ModelData => ({
  key: model.deployment,
  label: visibleText(label),
  href: modelPath(suite, model.deployment),
  creator: visibleText(model.creator),
  weights: visibleText(model.access),
  cells: cells.map((cell) => scoreData(cell, methods)),
})

const scoreData = (cell: BoardCell, methods: readonly string[]): ScoreData => {
  if (!isThere(cell)) return 0
  const { value, interval, evaluated, measured, score } = cell
  return trimmed([
    value,
    shown(interval?.low),
    shown(interval?.high),
    scoredOf(cell) ?? -1,
    evaluated,
    Math.max(0, evaluated - measured),
    standingOf(cell),
    methods.indexOf(methodOf(cell)) + 1,
    cell.groups,
    value === null
      ? ['no value', incompleteText(cell)].filter((part) => part !== '').join('; ')
      : incompleteText(cell),
    calibratedData(cell),
    score === value ? null : score,
  ])
}

type Score = Exclude<ScoreData, 0>

const calibratedData = ({ calibrated }: BoardCell): Required<Score>[10] =>
  calibrated === null
    ? 0
    : [
        Number(plain(calibrated.value)),
        shown(calibrated.interval?.low),
        shown(calibrated.interval?.high),
        calibrated.labels,
        ...(calibrated.uncovered === undefined ? ([] as const) : ([calibrated.uncovered] as const)),
      ]

const trimmed = (score: Required<Score>): Score => {
  // A score of 0 that is not the value.
  if (score[11] === 0) return score
  const used = score.findLastIndex((part) => part !== '' && part !== 0 && part !== null)
  // The compiler does not know that the start of such a list is one, too.
  return score.slice(0, Math.max(used, 0) + 1) as unknown as Score
}

const standingOf = (cell: BoardCell): CellStanding => {
  if (!isRanked(cell)) return -1
  if (cell.place?.rank !== 1) return 0
  return cell.place.tied ? 2 : 1
}
