import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { boundApp, type BoundProps } from '../../client/bound-app.ts'
import { useWidth } from '../../client/use-width.ts'
import { Choice, Filter } from '../../components/choice.tsx'
import { plural } from '../../../../cache/words/number-text.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactRange, exactValue } from '../../components/exact.tsx'
import type { BoardData } from '../leaderboard/board/board-data.ts'
import { boardView, type BoardView, type RowView } from '../leaderboard/board/board-view.ts'
import { oneOf, readAddress } from '../../address-rules.ts'
import { NotHere } from '../../components/not-here.tsx'
import { namesOf } from '../leaderboard/isolated.ts'
import { leaderboardRules } from '../leaderboard/rules.ts'
import { DEFAULT_STATE } from '../leaderboard/state.ts'
import { FrontDrawing } from './front-drawing.tsx'
import { layoutFront } from './front-layout.ts'
import { FRONT_AXES, frontPoints, type FrontAxis } from './front-points.ts'

/** What the figure's reader may choose, as the address keeps it; without an axis the first that tells models apart. */
export const DEFAULT_FRONT = { x: '', task: '' }

/** Models that the note below the figure names. */
const NAMED = 12

/** Without a script the figure has this width. */
export const STATIC_WIDTH = 960

export const frontAxis = (key: string, view: BoardView): FrontAxis =>
  FRONT_AXES.find((axis) => axis.key === key) ??
  FRONT_AXES.find((axis) => new Set(frontPoints(view, axis).points.map(({ usd }) => usd)).size > 1) ??
  (FRONT_AXES[0] as FrontAxis)

interface FrontFigureProps {
  readonly view: BoardView
  readonly axis: FrontAxis
  readonly width: number
  readonly root: string
  readonly told?: string
  readonly onTell?: (text: string) => void
}

export const FrontFigure = ({ view, axis, width, root, told, onTell }: FrontFigureProps): JSX.Element => {
  const layout = layoutFront(view, axis, width)
  const shown = new Set(layout?.points.map(({ row }) => row))
  const unknown = frontPoints(view, axis).unknown.filter((row) => !shown.has(row))
  return (
    <>
      {layout === undefined ? (
        <p class="missing">No model has a win rate and a known value on this axis.</p>
      ) : (
        <div class="table-scroll figure-scroll">
          <FrontDrawing
            layout={layout}
            axis={axis}
            title={axis.title(view)}
            root={root}
            {...(told === undefined ? {} : { told })}
            onTell={onTell}
          />
        </div>
      )}
      <p class="figure-note">
        {layout === undefined || unknown.length === 0
          ? ''
          : `${plural(unknown.length, 'model')} without a known value or win rate: ${namesOf(unknown, NAMED)}.`}
      </p>
    </>
  )
}

/** The figure's numbers, the front first. */
export const FrontTable = ({
  view,
  axis,
  root,
}: Pick<FrontFigureProps, 'view' | 'axis' | 'root'>): JSX.Element => {
  const { points, front, unknown } = frontPoints(view, axis)
  const nameOf = ({ href, label }: RowView): JSX.Element => <a href={root + href}>{label}</a>
  return (
    <DataTable
      label="Win rate against what it takes"
      head={['Model', ...numeric(axis.name, 'Win rate', '95 % interval'), 'On the front']}
      rows={[
        ...points.map((point) => [
          nameOf(point.row),
          <data value={String(point.usd)}>{axis.text(point.usd)}</data>,
          exactValue(point.winRate),
          exactRange(point.row.whisker),
          front.includes(point) ? 'yes' : 'no',
        ]),
        ...unknown.map((row) => [
          nameOf(row),
          axis.of(row, view) === null ? 'not known' : '–',
          exactValue(row.winRate),
          exactRange(row.whisker),
          '–',
        ]),
      ]}
    />
  )
}

const FrontApp = ({
  data,
  root,
  bound: { state, unknown, change },
}: BoundProps<BoardData, typeof DEFAULT_FRONT>): JSX.Element => {
  const { place, width = STATIC_WIDTH } = useWidth()
  const [told, setTold] = useState('')
  const rules = {
    x: oneOf('axis', (key) => FRONT_AXES.some((each) => each.key === key)),
    task: leaderboardRules(data).task,
  }
  const { state: asked, faults } = readAddress(state.value, DEFAULT_FRONT, rules, unknown.value)
  const view = boardView(data, { ...DEFAULT_STATE, task: asked.task })
  const axis = frontAxis(asked.x, view)
  return (
    <div ref={place}>
      <div class="controls">
        <Choice
          label="Across"
          value={axis.key}
          options={FRONT_AXES.map(({ key, name }) => [key, name])}
          onChange={(x) => change({ x })}
        />
        <Filter
          label="Up: win rate on"
          value={asked.task}
          values={[...new Set(data.columns.map(({ category }) => category))]}
          any="All benchmarks"
          onChange={(task) => change({ task })}
        />
      </div>
      <NotHere lines={faults} />
      <FrontFigure
        view={view}
        axis={axis}
        width={Math.max(280, width)}
        root={root}
        told={told}
        onTell={setTold}
      />
      <p class="figure-told" role="status">
        {told}
      </p>
      <details>
        <summary>The numbers</summary>
        <FrontTable view={view} axis={axis} root={root} />
      </details>
    </div>
  )
}

/** Draws the figure anew at the width that there is, for whatever its reader asks. */
export const startFront = boundApp(DEFAULT_FRONT, FrontApp)
