import type { Table } from '../../benchmarks/sources/table.ts'
import type { Price } from '../../models/prices/price.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { costRows, type CostRow } from '../../targets/analysis/paper-costs.ts'
import { PAPER_LEAVES_OUT, plainName } from '../../targets/analysis/paper.ts'
import { readCosts } from './costs-file.ts'

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
