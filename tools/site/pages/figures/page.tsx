import type { ComponentChildren, JSX } from 'preact'
import { fileId } from '../../emit/file-id.ts'
import { visibleText } from '../../visible-text.ts'
import { boardView } from '../leaderboard/board/board-view.ts'
import { makeBoardData } from '../leaderboard/board/make-board-data.ts'
import { DEFAULT_STATE } from '../leaderboard/state.ts'
import { CategoryDots } from './category-dots.tsx'
import { DEFAULT_FRONT, frontAxis, FrontFigure, FrontTable, STATIC_WIDTH } from './front-figure.tsx'
import { suitePage } from '../suite-page.tsx'
import { RankIntervals } from './rank-intervals.tsx'
import { ScoreHeatmap } from './score-heatmap.tsx'

/** figures.html and, where there are several suites, figures/….html: what a board shows, drawn. Shows without a script. */
export const figuresPage = suitePage({
  page: 'figures',
  label: 'Figures',
  content: (suite, root) => {
    const { board } = suite
    // All digits: no script draws these anew, and files are made of them.
    const whole = makeBoardData(suite, (value) => value ?? null)
    const view = boardView(whole, DEFAULT_STATE)
    const axis = frontAxis(DEFAULT_FRONT.x, view)
    return (
      <>
        <h1>{visibleText(board.suite)}, in figures</h1>
        <Figure id="front" title="Quality against what it takes">
          <p>
            Filled points on the line: no ranked model has as high a win rate for less, or a higher one for as
            much. Hollow: one has; dotted: not measured in full.{' '}
            {view.all.some(({ whisker }) => whisker !== undefined)
              ? 'Upright lines are 95 % intervals. '
              : ''}
            Apart at the right are those whose value is not known. A point without room for a label tells its
            name on hover, focus and touch. Costs are those of the models’ own answers.
          </p>
          <div data-app="front" data-folder={root} data-chunk={fileId(board.suite)}>
            <FrontFigure view={view} axis={axis} width={STATIC_WIDTH} root={root} />
            <details>
              <summary>The numbers</summary>
              <FrontTable view={view} axis={axis} root={root} />
            </details>
          </div>
        </Figure>
        <Figure id="ranks" title="Which ranks are open">
          <RankIntervals board={board} root={root} />
        </Figure>
        <Figure id="categories" title="Mean scores by category">
          <CategoryDots board={board} view={view} root={root} />
        </Figure>
        <Figure id="scores" title="Scores by benchmark">
          <ScoreHeatmap board={board} root={root} />
        </Figure>
      </>
    )
  },
})

const Figure = ({
  id,
  title,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element => (
  <section id={id} class="figure">
    <h2>{title}</h2>
    {children}
  </section>
)
