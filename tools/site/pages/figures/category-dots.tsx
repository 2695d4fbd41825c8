import type { JSX } from 'preact'
import type { Board } from '../../../../targets/board/board.ts'
import { formatRange, formatValue, listText } from '../../../../cache/words/number-text.ts'
import { linearAxis } from '../../components/plot/axis.ts'
import { exactFigure, exactRange, exactValue } from '../../components/exact.tsx'
import { AxisNumbers, Mark, MARK_PIXELS } from '../../components/plot/mark.tsx'
import { notInAverages } from '../../content/left-out.ts'
import type { BoardView, CategoryScore } from '../leaderboard/board/board-view.ts'

interface CategoryDotsProps {
  readonly board: Board
  readonly view: BoardView
  readonly root: string
}

/** Means over each category: the paper's figure 4. */
export const CategoryDots = ({ board, view: { categories, all }, root }: CategoryDotsProps): JSX.Element => {
  const drawn = categories.flatMap(({ name }, at) => {
    const benchmarks = all[0]?.scores[at]?.of ?? 0
    return benchmarks === 0 ? [] : [{ name, at, benchmarks }]
  })
  if (drawn.length === 0)
    return <p class="missing">No benchmark of this suite has a scale with ends and two ranked models.</p>
  const axis = linearAxis({ from: 0, to: 1 }, MARK_PIXELS, 2)
  return (
    <>
      <p>{noteOf(board, all)}</p>
      <div class="table-scroll" role="region" aria-label="Mean scores by category" tabIndex={0}>
        <table class="data marks many">
          <thead>
            <tr>
              <th scope="col">Model</th>
              {drawn.map(({ name, benchmarks }) => (
                <th key={name} scope="col" class="drawn">
                  {name} ({benchmarks})
                  <AxisNumbers axis={axis} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {all.map(({ key, label, href, scores }) => (
              <tr key={key}>
                <th scope="row" dir="auto" title={label}>
                  <a href={root + href}>{label}</a>
                </th>
                {drawn.map(({ name, at }) => {
                  const { mean, interval } = wholeScore(scores[at])
                  const text = meanText(mean, interval)
                  return (
                    <td key={name} class="drawn" title={text}>
                      <Mark axis={axis} values={mean === null ? [] : [{ value: mean, interval }]} />
                      <span class="value unseen">
                        {exactFigure(mean === null ? null : { value: mean, interval }, {
                          value: exactValue,
                          range: exactRange,
                        })}
                      </span>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const noteOf = (board: Board, all: BoardView['all']): string => {
  const leftOut = notInAverages(board)
  const isKnown = all.some(({ scores }) => scores.some(({ interval }) => interval !== null))
  return (
    'Means of the benchmarks of a category, each on a scale from 0 to 1 (a jury’s scale likewise)' +
    `${isKnown ? ', with 95 % intervals over instances' : ''}. A model without a ranked score in one of them has none.` +
    (leftOut.length === 0 ? '' : ` Left out: ${listText(leftOut)}.`)
  )
}

/** Means over different benchmarks do not compare. */
const wholeScore = (score: CategoryScore | undefined): Pick<CategoryScore, 'mean' | 'interval'> =>
  score === undefined || score.ranked < score.of ? { mean: null, interval: null } : score

const meanText = (mean: CategoryScore['mean'], interval: CategoryScore['interval']): string =>
  mean === null ? '–' : `${formatValue(mean)}${interval === null ? '' : ` (${formatRange(interval)})`}`
