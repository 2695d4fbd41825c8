import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ShownText } from '../../components/text/shown-text.tsx'
import type { LoadChunk } from '../../components/text/whole-text.ts'
import { visibleText } from '../../visible-text.ts'
import type { ShownJudge, ShownScore } from './instances/instance-view.ts'

interface JudgeGridProps {
  /** Names the grid where a page has several. */
  readonly label?: string
  readonly judges: readonly ShownJudge[]
  /** Names of the jury: whose reply is missing has a column, too. */
  readonly jury?: readonly string[]
  readonly load: LoadChunk
}

interface Opened {
  readonly judge: number
  readonly criterion: string
}

/** Criteria × judges; a score opens its judge's words. */
export const JudgeGrid = ({
  label = 'Judges',
  judges: heard,
  jury = [],
  load,
}: JudgeGridProps): JSX.Element | null => {
  const [opened, setOpened] = useState<Opened>()
  if (heard.length === 0) return null
  const names = [...new Set([...jury, ...heard.map(({ name }) => name)])]
  const judges = names.map((name) => heard.find((each) => each.name === name) ?? { name, scores: [] })
  const criteria = [...new Set(judges.flatMap(({ scores }) => scores.map(({ criterion }) => criterion)))]
  const scoreOf = (judge: ShownJudge, criterion: string): ShownScore | undefined =>
    judge.scores.find((each) => each.criterion === criterion)
  const isOpen = (judge: number, criterion: string): boolean =>
    opened?.judge === judge && opened.criterion === criterion
  const shown = opened === undefined ? undefined : judges[opened.judge]
  const told = opened && shown && scoreOf(shown, opened.criterion)
  return (
    <div class="judgement">
      <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
        <table class="data judge">
          <thead>
            <tr>
              <th scope="col">Criterion</th>
              {judges.map(({ name }) => (
                <th key={name} scope="col" class="number">
                  {visibleText(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {criteria.map((criterion) => (
              <tr key={criterion}>
                <th scope="row">{visibleText(criterion)}</th>
                {judges.map((judge, at) => (
                  <td key={judge.name} class="number">
                    <Score
                      score={scoreOf(judge, criterion)}
                      judge={judge.name}
                      isOpen={isOpen(at, criterion)}
                      onOpen={() => setOpened(isOpen(at, criterion) ? undefined : { judge: at, criterion })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Words judge={shown} score={told} load={load} />
    </div>
  )
}

/** What a judge said for a score that was asked. */
const Words = ({
  judge,
  score,
  load,
}: {
  readonly judge: ShownJudge | undefined
  readonly score: ShownScore | undefined
  readonly load: LoadChunk
}): JSX.Element => (
  <div class="why" aria-live="polite">
    {score === undefined || judge === undefined ? (
      <p class="detail">A score opens its judge’s words.</p>
    ) : (
      <>
        <h5>
          {visibleText(judge.name)}, {visibleText(score.criterion)}: {visibleText(score.score)}
        </h5>
        <ShownText text={score.explanation} load={load} />
      </>
    )}
  </div>
)

const Score = ({
  score,
  judge,
  isOpen,
  onOpen,
}: {
  readonly score: ShownScore | undefined
  readonly judge: string
  readonly isOpen: boolean
  readonly onOpen: () => void
}): JSX.Element =>
  score === undefined ? (
    <span class="warning" title="could not be read">
      ?<span class="unseen"> could not be read</span>
    </span>
  ) : (
    <button type="button" class="score-button" aria-expanded={isOpen} onClick={onOpen}>
      {visibleText(score.score)}
      <span class="unseen">
        , {visibleText(judge)} on {visibleText(score.criterion)}: why
      </span>
    </button>
  )
