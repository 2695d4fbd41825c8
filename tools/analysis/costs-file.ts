import { str } from '../../benchmarks/python/numbers/number.ts'
import { rowPlace, type Row, type Table } from '../../benchmarks/sources/table.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Price } from '../../models/prices/price.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { costRows, type CostRow, type PublishedCost } from '../../targets/analysis/paper-costs.ts'
import { PAPER_LEAVES_OUT, plainName } from '../../targets/analysis/paper.ts'

const COUNTS = {
  inputTokens: 'Total Input Tokens',
  outputTokens: 'Total Output Tokens',
  judgeInputTokens: 'Total Judge Input Tokens',
  judgeOutputTokens: 'Total Judge Output Tokens',
} as const

/** Whether a table holds costs by model and benchmark, in the form of the paper's data: `paperCosts` reads no other. */
export const isCosts = ({ columns }: Table): boolean =>
  ['Model', 'Benchmark', ...Object.values(COUNTS)].every((name) => columns.includes(name))

/** @throws ProblemError with file, row and column for a count that is no number */
const readCosts = (table: Table): readonly PublishedCost[] =>
  table.rows.map((row) => ({
    model: str(row.cells.get('Model') ?? '').trim(),
    benchmark: str(row.cells.get('Benchmark') ?? '').trim(),
    inputTokens: countAt(table, row, COUNTS.inputTokens),
    outputTokens: countAt(table, row, COUNTS.outputTokens),
    judgeInputTokens: countAt(table, row, COUNTS.judgeInputTokens),
    judgeOutputTokens: countAt(table, row, COUNTS.judgeOutputTokens),
  }))

/** Thousands may stand apart by commas, as in the published file. */
const countAt = (table: Table, row: Row, column: string): number => {
  const text = str(row.cells.get(column) ?? '').trim()
  if (/^\d+$|^\d{1,3}(?:,\d{3})+$/.test(text)) return Number(text.replaceAll(',', ''))
  throw new ProblemError({
    code: 'analysis/not-a-number',
    message: `${JSON.stringify(text)} is no number of tokens`,
    where: rowPlace(table.file, row, column),
    remedy: 'Write a whole number.',
  })
}

/** The judges of the paper. */
const JUDGES = ['gpt-4o-2024-05-13', 'llama-3.3-70b-instruct', 'claude-3-7-sonnet-20250219']
/** Where the paper's models were served: its costs are at these deployments' prices. */
const HOST = 'stanfordhealthcare'

/** Tokens and costs of the paper's benchmarks, by model as the file names it. */
export const paperCosts = (table: Table, { prices }: ModelRegistry): readonly CostRow[] => {
  const byName = new Map<string, Price>(
    [...prices]
      .filter(([deployment]) => deployment.startsWith(`${HOST}/`))
      .map(([deployment, price]) => [plainName(deployment.slice(HOST.length + 1)), price]),
  )
  const judges = JUDGES.flatMap((judge) => byName.get(plainName(judge)) ?? [])
  return costRows(
    readCosts(table).filter(({ benchmark }) => !PAPER_LEAVES_OUT.has(plainName(benchmark))),
    (model) => byName.get(plainName(model)),
    judges.length === JUDGES.length ? judges : null,
  )
}
