import type { JSX } from 'preact'
import type { Board } from '../../../targets/board/board.ts'
import type { BoardBenchmark } from '../../../targets/runs/board-run.ts'
import { benchmarkPath, modelPath, runPath } from '../paths.ts'
import { urlStateText } from '../url-state.ts'
import { visibleText } from '../visible-text.ts'

interface LinkProps {
  /** Prefix that leads to the site's root. */
  readonly root: string
}

/** A deployment's name on the board, which leads to its page. */
export const ModelLink = ({
  board: { suite, rows },
  deployment,
  root,
}: LinkProps & {
  readonly board: Pick<Board, 'suite' | 'rows'>
  readonly deployment: string
}): JSX.Element => {
  const label = rows.find(({ model }) => model.deployment === deployment)?.label ?? deployment
  return <a href={root + modelPath(suite, deployment)}>{visibleText(label)}</a>
}

/** A benchmark's name, which leads to its page. @param place on that page, such as `#differences` */
export const BenchmarkLink = ({
  suite,
  benchmark: { name, displayName },
  root,
  place = '',
}: LinkProps & {
  readonly suite: string
  readonly benchmark: Pick<BoardBenchmark, 'name' | 'displayName'>
  readonly place?: string
}): JSX.Element => <a href={root + benchmarkPath(suite, name) + place}>{visibleText(displayName)}</a>

/** An instance's id, which leads to it among those of a run; a mere text where there is no such page. */
export const InstanceLink = ({
  suite,
  run,
  instance,
  root,
}: LinkProps & {
  readonly suite: string
  readonly run: string | undefined
  readonly instance: string
}): JSX.Element =>
  run === undefined ? (
    <>{visibleText(instance)}</>
  ) : (
    <a href={`${root}${runPath(suite, run)}${urlStateText({ instance }, { instance: '' })}`}>
      {visibleText(instance)}
    </a>
  )
