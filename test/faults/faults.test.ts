import { beforeAll, describe, expect, test } from 'vitest'
import type { Board } from '../../targets/board/board.ts'
import type { BoardCell } from '../../targets/board/board-cell.ts'
import type { Causes } from '../../targets/record/coverage.ts'
import { medmake, type CliResult } from '../rig/medmake.ts'
import type { Files } from '../rig/workspace.ts'
import { faultServer, NO_REPLY, POOR_JUDGEMENT, POOR_REPLY } from './fault-server.ts'
import {
  fullBenchmark,
  faultWorkspace,
  judgedBenchmark,
  plainBenchmark,
  putDatabase,
  type FullBenchmark,
} from './fault-workspace.ts'

/** What a fault of one instance of four must show as. */
interface Shown {
  readonly benchmark: string
  readonly model: string
  readonly causes: Causes
  /** Requests with a measured value. */
  readonly measured: 3 | 4
  /** Codes on the record. */
  readonly codes: readonly string[]
  readonly strict?: number
  /** HELM's number of the main metric; as of three answers unless given. */
  readonly value?: number
}

interface RunJson {
  readonly providerCalls: number
  readonly causes: Readonly<Record<string, Causes>>
  readonly failures: readonly { readonly target: string; readonly instance: string; readonly code: string }[]
}

const CODES: Readonly<Record<string, string>> = {
  hang: 'call/timeout',
  'hang-up': 'call/connection',
  'broken-json': 'reply/malformed',
  'no-choices': 'reply/no-choices',
  'no-message': 'reply/malformed',
}
const codeOf = (fault: string): string => CODES[fault] ?? fault.replace('-', '/')

const names = (faults: object): readonly string[] => Object.keys(faults)

const NOT_ANSWERED = names(NO_REPLY).map((fault): Shown => ({
  benchmark: 'plain',
  model: `fake/model_${fault}`,
  causes: { 'provider-error': 1 },
  measured: 3,
  codes: [codeOf(fault)],
  value: 1,
}))

const REPLY_CAUSES: Readonly<Record<string, Causes>> = {
  filtered: { refused: 1 },
  refusal: { refused: 1 },
  length: { truncated: 1 },
  blank: { 'empty-completion': 1 },
  'no-content': { 'empty-completion': 1 },
}

const ANSWERED_POORLY = names(POOR_REPLY).map((fault): Shown => ({
  benchmark: 'plain',
  model: `fake/model_${fault}`,
  causes: REPLY_CAUSES[fault] ?? {},
  measured: 4,
  codes: [],
  value: 0.75,
}))

const judged = (fault: string, rest: Omit<Shown, 'benchmark' | 'model' | 'measured'>): Shown => ({
  benchmark: `judged-${fault}`,
  model: `fake/model_j-${fault}`,
  measured: 3,
  strict: 4,
  ...rest,
})

const NOT_JUDGED = names(NO_REPLY).map((fault) =>
  judged(fault, { causes: { 'judge-missing': 1 }, codes: [codeOf(fault)], value: 4 }),
)

const JUDGEMENT_CODES: Readonly<Record<string, string>> = {
  'no-criterion': 'missing-criterion',
  'no-key': 'missing-key',
  list: 'not-an-object',
  'list-score': 'score-not-a-number',
  'null-score': 'score-not-a-number',
  'word-score': 'score-not-a-number',
}

const UNREADABLE = names(POOR_JUDGEMENT).filter((fault) => !fault.startsWith('too-'))

/** HELM's default, 0 in this form of a benchmark, stands in its score; never in ours. */
const JUDGED_POORLY = [...names(POOR_REPLY), ...UNREADABLE].map((fault) =>
  judged(fault, {
    causes: { 'judge-unparseable': 1 },
    codes: [JUDGEMENT_CODES[fault] ?? 'unparseable'],
    value: 3,
  }),
)

const OUT_OF_RANGE = [
  judged('too-high', { causes: { 'judge-out-of-range': 1 }, codes: [], value: (3 * 4 + 9) / 4 }),
  judged('too-low', { causes: { 'judge-out-of-range': 1 }, codes: [], value: 3 }),
]

const metricFault = (name: string, code: string, measured: 3 | 4, causes: Causes, value: number): Shown => ({
  benchmark: name,
  model: 'fake/model_none',
  causes,
  measured,
  codes: [code],
  value,
})

const NOT_MEASURED = [
  metricFault('no-codes', 'no-codes', 3, { 'not-measured': 1 }, 0),
  metricFault('no-correct', 'targets/no-correct-reference', 3, { 'not-measured': 1 }, 1),
  metricFault('bad-limit', 'bad-limit', 3, { 'not-measured': 1 }, 0),
  metricFault('ehr_sql', 'sql/gold-query', 3, { 'not-measured': 1 }, 0),
]

const OWN: readonly FullBenchmark[] = [
  {
    name: 'no-codes',
    table: 'note,gold\nnote 1,A01\nnote 2,none\nnote 3,A01\nnote 4,A01\n',
    reference: "{text: '{gold}', correct: true}",
    metrics: 'mimiciv_billing_code',
    main: 'mimiciv_billing_code_f1',
  },
  {
    name: 'no-correct',
    table: 'note,right\nnote 1,yes\nnote 2,no\nnote 3,yes\nnote 4,yes\n',
    reference: "{text: 'yes', correct: {value: '{right}', is: 'yes'}}",
    metrics: 'exact_match',
    main: 'exact_match',
  },
  {
    name: 'bad-limit',
    table: 'note,low\nnote 1,01/02/2020\nnote 2,someday\nnote 3,01/02/2020\nnote 4,01/02/2020\n',
    reference: "{text: '01/02/2020', correct: true}",
    metrics: 'medcalc_bench',
    main: 'medcalc_bench_accuracy',
    extra: "        extra_data: {category: date, lower_limit: '{low}', upper_limit: '01/02/2020'}",
  },
  {
    name: 'ehr_sql',
    table: `note,query\nnote 1,select 1\nnote 2,select 1; select 2\nnote 3,select 1\nnote 4,select 1\n`,
    reference: "{text: '{query}', correct: true}",
    metrics: 'ehr_sql',
    main: 'ehr_sql_execution_accuracy',
    data: '      database: {path: stays.sqlite, format: sqlite}',
  },
]

const SUITES: Readonly<Record<string, { readonly shown: readonly Shown[]; readonly code: number }>> = {
  'not-answered': { shown: NOT_ANSWERED, code: 1 },
  'answered-poorly': { shown: ANSWERED_POORLY, code: 0 },
  'not-judged': { shown: NOT_JUDGED, code: 1 },
  'judged-poorly': { shown: [...JUDGED_POORLY, ...OUT_OF_RANGE], code: 0 },
  'not-measured': { shown: NOT_MEASURED, code: 0 },
}

const faultsOf = (shown: readonly Shown[]): readonly string[] =>
  shown.map(({ benchmark }) => benchmark.replace(/^judged-/, ''))

const files = (): Files => ({
  ...plainBenchmark('plain'),
  ...Object.assign(
    {},
    ...faultsOf([...NOT_JUDGED, ...JUDGED_POORLY, ...OUT_OF_RANGE]).map((fault) =>
      judgedBenchmark(`judged-${fault}`, `fake/judge_${fault}`),
    ),
  ),
  ...Object.assign({}, ...OWN.map(fullBenchmark)),
})

describe.each(Object.entries(SUITES))('a run of %s', (suite, { shown, code }) => {
  let root: string
  let run: CliResult
  let report: CliResult

  beforeAll(async () => {
    const entries = shown.map(({ benchmark, model }) => `${benchmark}:model=${model}`)
    root = faultWorkspace(await faultServer(), files(), { [suite]: entries })
    await putDatabase(root, 'ehr_sql')
    run = await medmake(['run', suite, '--json'], { cwd: root })
    report = await medmake(['report', suite, '--json', '--allow-failures'], { cwd: root })
  })

  const cellOf = ({ model, benchmark }: Shown): BoardCell | undefined => {
    expect(report.code, report.stderr).toBe(0)
    const [board] = (JSON.parse(report.stdout) as { readonly boards: readonly Board[] }).boards
    const column = board?.benchmarks.findIndex(({ name }) => name === benchmark) ?? -1
    return board?.rows.find((row) => row.model.deployment === model)?.cells[column]
  }

  test(`ends with ${code}`, () => {
    expect(run.code, run.stderr).toBe(code)
  })

  test.skipIf(code !== 0)('tells the same when nothing is left to do', async () => {
    const again = JSON.parse((await medmake(['run', suite, '--json'], { cwd: root })).stdout) as RunJson
    expect(again.providerCalls).toBe(0)
    expect(again.causes).toEqual((JSON.parse(run.stdout) as RunJson).causes)
  })

  test.each(shown)('tells $benchmark by $model', (each) => {
    const { benchmark, model, causes, measured, codes, strict, value } = each
    const { failures, causes: byRun } = JSON.parse(run.stdout) as RunJson
    const name = `${benchmark}:model=${model.replace('/', '_')}`
    const isOwn = (run: string): boolean => run === name || run.startsWith(`${name},`)
    const own = Object.entries(byRun).filter(([run]) => isOwn(run))
    expect(own.map(([, found]) => found)).toEqual([causes])
    const failed = failures.filter(({ target }) => isOwn(target))
    expect([...new Set(failed.map(({ code }) => code))]).toEqual(codes)
    const cell = cellOf(each)
    expect(cell).toMatchObject({ causes, measured, evaluated: 4, floor: 0.99 })
    expect(cell?.value).toBeCloseTo(value ?? NaN, 12)
    expect(cell?.place === null || measured === 4).toBe(true)
    if (strict !== undefined)
      expect(cell?.metrics).toContainEqual({ name: 'jury_score_strict', value: strict })
  })
})
