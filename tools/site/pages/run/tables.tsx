import type { JSX } from 'preact'
import { CAUSES } from '../../../../targets/record/coverage.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactCost, exactLack, exactSeconds } from '../../components/exact.tsx'
import { causeName } from '../../../compare/coverage-text.ts'
import { formatCount } from '../../../../cache/words/number-text.ts'
import type { RunFacts } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'

/** Requests and judgements by what kept them from being measured, or makes their score say less; nothing where all are whole. */
export const CausesTable = ({
  coverage: { evaluated, judgements, causes },
}: Pick<RunFacts, 'coverage'>): JSX.Element | null => {
  const shareOf = (count: number, all: number): JSX.Element | string =>
    exactLack(all === 0 ? null : Math.min(1, count / all))
  const rows = CAUSES.flatMap((cause) => {
    const count = causes[cause] ?? 0
    if (count === 0) return []
    // A request has as many judgements as judges.
    const shares = cause.startsWith('judge-')
      ? ['–', shareOf(count, judgements?.wanted ?? 0)]
      : [shareOf(count, evaluated), '–']
    return [[causeName(cause, 2), formatCount(count), ...shares]]
  })
  return rows.length === 0 ? null : (
    <details>
      <summary>What is missing</summary>
      <DataTable
        label="What is missing"
        head={['Cause', ...numeric('Count', 'Of requests', 'Of judgements')]}
        rows={rows}
      />
    </details>
  )
}

/** Tokens, time and money of the model's and the judges' replies; nothing where the files do not tell. */
export const SpentTable = ({ spent }: Pick<RunFacts, 'spent'>): JSX.Element | null =>
  spent.length === 0 ? null : (
    <details>
      <summary>Cost</summary>
      <DataTable
        label="Cost"
        head={[
          'Asked',
          ...numeric('Replies', 'Tokens read', 'Tokens written', 'Seconds a reply', 'US dollars'),
        ]}
        rows={spent.map(({ judge, deployment, calls, inputTokens, outputTokens, seconds, timed, usd }) => [
          judge === undefined ? visibleText(deployment) : `${visibleText(judge)} (judge)`,
          formatCount(calls),
          inputTokens === null ? 'not known' : formatCount(inputTokens),
          outputTokens === null ? 'not known' : formatCount(outputTokens),
          timed === 0 ? 'not known' : exactSeconds(seconds / timed),
          exactCost(usd),
        ])}
      />
    </details>
  )
