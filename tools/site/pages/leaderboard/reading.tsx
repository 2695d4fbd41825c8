import type { JSX } from 'preact'
import type { Board } from '../../../../targets/aggregate/board.ts'
import { formatShare } from '../../format.ts'
import { notInAverages, notInWinRates } from '../../left-out.ts'
import { boardOmissions } from '../../omitted-text.ts'
import { visibleText } from '../../visible-text.ts'

/** What the columns and marks mean. */
export const Reading = ({ board }: { readonly board: Board }): JSX.Element => (
  <details class="reading">
    <summary>How to read this table</summary>
    <ul>
      <li>
        A score is the mean of the benchmark’s main metric. Under it stand the 95 % interval (Wilson’s for
        metrics that are 0 or 1, the t interval for others), n, the number of instances, and the share of
        requests that were measured. Intervals that overlap do not prove that two models are equal, nor does
        their order alone prove a difference.
      </li>
      <li>Higher is better unless a header says otherwise. A place or a best value with = is shared.</li>
      <li>
        A score of which too few requests were measured, or too few of its judges’ replies could be read, is
        shown and not ranked: fewer than{' '}
        {[...new Set(board.benchmarks.map(({ coverageFloor }) => formatShare(coverageFloor)))].join(' or ')},
        as its benchmark declares.
      </li>
      <Grouped board={board} />
      <Aggregates board={board} />
      {boardOmissions(board).map((line) => (
        <li key={line}>{line}</li>
      ))}
      <li>
        Deeper shading is better; it repeats what the numbers say. Shares and juries’ scores are shaded and
        drawn on their whole scale, others on the range of their column.
      </li>
    </ul>
  </details>
)

const Grouped = ({ board: { rows } }: { readonly board: Board }): JSX.Element | null =>
  rows.every(({ cells }) => cells.every(({ groups }) => groups === '')) ? null : (
    <li>Scores of a column that share a group’s letter do not differ significantly.</li>
  )

const Aggregates = ({ board }: { readonly board: Board }): JSX.Element => {
  const nameOf = (name: string): string =>
    visibleText(board.benchmarks.find((benchmark) => benchmark.name === name)?.displayName ?? name)
  const [rates, averages] = [notInWinRates(board), notInAverages(board)]
  return (
    <>
      {board.winRateColumns.length === 0 ? null : (
        <li>
          Win rate: the share of the other models that a model beats, ties counting half, averaged over
          benchmarks as HELM does. A place takes a ranked score in every benchmark that is compared.
          {rates.length === 0 ? '' : ` Left out: ${rates.join(', ')}.`}
        </li>
      )}
      {board.rows.every(({ rank }) => rank === null) ? null : (
        <li>
          Under a place: the ranks by average over the scales that paired tests leave open on these
          benchmarks, with 95 %; under a win rate the wins that they leave open.
        </li>
      )}
      {board.macroColumns.length < 2 ? null : (
        <li>
          Average: the mean over the benchmarks whose metric is a share between 0 and 1, for models with a
          ranked score in all of them: {board.macroColumns.map(nameOf).join(', ')}. As in win rates, a
          benchmark counts where two models or more are ranked in it.
          {averages.length === 0 ? '' : ` Left out: ${averages.join(', ')}.`}
        </li>
      )}
      {board.rows.every(({ spent }) => spent === null) ? null : (
        <li>Cost, tokens and latency are those of the model’s own answers; judges are not in them.</li>
      )}
    </>
  )
}
