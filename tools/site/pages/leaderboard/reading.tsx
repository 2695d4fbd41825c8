import type { JSX } from 'preact'
import type { Board } from '../../../../targets/board/board.ts'
import { formatDeclared, listText } from '../../../../cache/words/number-text.ts'
import { notInAverages, notInWinRates } from '../../content/left-out.ts'
import { boardOmissions } from '../../content/omitted-text.ts'

/** What the columns and marks mean. */
export const Reading = ({ board }: { readonly board: Board }): JSX.Element => {
  const floors = [
    ...new Set(
      board.benchmarks.flatMap(({ coverageFloor: floor }) => (floor > 0 ? formatDeclared(floor) : [])),
    ),
  ]
  return (
    <details class="reading">
      <summary>How to read this table</summary>
      <ul>
        <li>
          A row is a line; a cell opens what it knows: the 95 % interval and how it was formed, the number of
          instances, the share of requests that were measured, causes, groups and errata. A score is the mean
          of the benchmark’s main metric. Intervals that overlap do not prove that two models are equal, nor
          does their order alone prove a difference.
        </li>
        <li>
          A category’s score is the average over its benchmarks that are compared. With ◧ it is of those that
          the model is ranked in.
        </li>
        <li>
          A task, or benchmarks of one’s own choice, order the models anew: places, win rates and averages are
          those of these benchmarks alone. Which ranks are open is tested for the whole board, each category
          and each subcategory, and of other sets in the page, where their values are at hand; without them no
          tie is claimed, and the whisker is what to expect of a further benchmark like these, from eight on.
        </li>
        <li>
          A benchmark’s column is ordered by what its places go by: the mean over the instances that could be
          read in full. Where HELM’s mean, which is shown, holds a default, or part of a jury, for what was
          lost, the two differ, and a cell’s details tell both.
        </li>
        <li>Higher is better unless a header says otherwise. A place or a best value with = is shared.</li>
        {floors.length === 0 ? null : (
          <li>
            A score of which too few requests were measured, or too few of its judges’ replies could be read,
            is shown and not ranked: fewer than {floors.join(' or ')}, the floor of its benchmark.
          </li>
        )}
        <Grouped board={board} />
        <Aggregates board={board} />
        {boardOmissions(board).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  )
}

const Grouped = ({ board: { rows } }: { readonly board: Board }): JSX.Element | null =>
  rows.every(({ cells }) => cells.every(({ groups }) => groups === '')) ? null : (
    <li>
      Scores of a column that share a group’s letter do not differ significantly. Letters hold for all pairs
      of a column at once, ranks for each model by itself: of a category with one benchmark, ranks may part
      what its letters do not.
    </li>
  )

const Aggregates = ({ board }: { readonly board: Board }): JSX.Element => {
  const [rates, averages] = [notInWinRates(board), notInAverages(board)]
  return (
    <>
      {board.winRateColumns.length === 0 ? null : (
        <li>
          Win rate: the share of the other models that a model beats, ties counting half, averaged over
          benchmarks as HELM does. A place takes a ranked score in every benchmark that is compared.
          {rates.length === 0 ? '' : ` Left out: ${listText(rates)}.`}
        </li>
      )}
      {board.averageColumns.length === 0 ? null : (
        <li>
          Average: the mean over the benchmarks that are compared, each as a share of its scale, juries’ too,
          turned so that more is better. A place goes by win rate, which counts who wins and not by how much:
          the two may name different models.
          {averages.length === 0 ? '' : ` Left out: ${listText(averages)}.`}
        </li>
      )}
      {board.rows.every(({ rank }) => rank === null) ? null : (
        <li>
          Beside an average: the ranks by it that paired tests leave open on these benchmarks, with 95 %;
          around a win rate the wins that they leave open. Tied for first are those to whom rank 1 is open; a
          chance to be first describes where the averages lie and is no confidence.
        </li>
      )}
      {board.rows.every(({ spent }) => spent === null) ? null : (
        <li>Cost, tokens and latency are those of the model’s own answers; judges are not in them.</li>
      )}
    </>
  )
}
