import type { JSX } from 'preact'
import { plural } from '../../format.ts'
import { BenchmarkRows } from './benchmark-rows.tsx'
import { ModelRows, type TableProps } from './model-rows.tsx'
import type { LeaderboardView } from './view.ts'

interface LeaderboardTableProps extends TableProps {
  /** What stands in the rows. */
  readonly transposed?: boolean
  /** Values alone, without intervals and counts. */
  readonly brief?: boolean
}

/** Models and benchmarks, with all that belongs to each number. */
export const LeaderboardTable = ({
  transposed = false,
  brief = false,
  ...table
}: LeaderboardTableProps): JSX.Element => (
  <div class="table-scroll" role="region" aria-label={`Leaderboard ${table.view.suite}`} tabIndex={0}>
    <table
      class={[
        'leaderboard',
        ...(brief ? ['brief'] : []),
        ...(isWide(table.view, transposed) ? ['wide'] : []),
      ].join(' ')}
    >
      <caption class="unseen">
        Leaderboard of {table.view.suite}: {sizeText(table.view)}, with 95 % intervals
      </caption>
      {transposed ? <BenchmarkRows {...table} /> : <ModelRows {...table} />}
    </table>
  </div>
)

/** Columns that fit on a printed page with their intervals. */
const MOST_PRINTED = 12

const isWide = ({ rows, columns }: LeaderboardView, transposed: boolean): boolean =>
  (transposed ? rows : columns).length > MOST_PRINTED

export const sizeText = ({ rows, columns }: LeaderboardView): string =>
  `${plural(rows.length, 'model')} on ${plural(
    columns.filter(({ benchmark }) => benchmark !== undefined).length,
    'benchmark',
  )}`
