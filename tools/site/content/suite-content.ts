import { readTaxonomy } from '../../../benchmarks/taxonomy.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { sessionRuns } from '../../session/built-run.ts'
import type { Session } from '../../session/session.ts'
import { suiteAbout } from '../about/suite-about.ts'
import type { SiteSuite } from '../site.ts'
import { siteSuite, type SuiteSource } from './site-suite.ts'
import { storedJudges } from './stored-judges.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import type { Json } from '../../../cache/values/json.ts'
import type { Store } from '../../../cache/store.ts'
import { asJson, storedList } from '../../../cache/stored-shape.ts'
import { boardUncertainty, type BoardUncertainty } from '../../../targets/board/board-uncertainty.ts'
import { boardPairs, type ColumnPairs } from '../../../targets/board/board-pairs.ts'
import { boardSubgroups, type Subgroups } from '../../../targets/board/board-subgroups.ts'
import { rankedTasks, type RankedTask } from '../../../targets/board/board-tasks.ts'
import type { Board } from '../../../targets/board/board.ts'

/** A suite's board and run pages from its records. @param showsTexts of gated and private benchmarks, too */
export const suiteContent = async (
  suite: string,
  built: readonly Built[],
  { env, registry, workspace }: Pick<Session, 'env' | 'registry' | 'workspace'>,
  showsTexts = false,
): Promise<SiteSuite> => {
  const made = await siteSuite({
    suite,
    runs: built.map(sessionRuns({ env, registry, workspace }, showsTexts)),
    taxonomy: await readTaxonomy({ workspace: workspace.root }),
    prices: registry.prices,
    ...storedBoard(
      built.map(({ digest }) => digest),
      env.records,
    ),
  })
  const coverage = new Map(made.runs.map(({ facts }) => [facts.name, facts.judges]))
  const judges = await storedJudges(built, { env, registry, coverage })
  return { ...made, judges, ...(await suiteAbout(made.board, built, { registry, workspace })) }
}

/** Each raised when the same values give another such part of a board. */
const VERSIONS = { uncertainty: 7, pairs: 4, tasks: 7, subgroups: 3 } as const

const readUncertainty = storedList<BoardUncertainty[number]>('the doubt of a board', { groups: 'list' })
const readPairs = storedList<ColumnPairs>('the pairs of a board', {})
const readTasks = storedList<RankedTask>('the tasks of a board', {
  benchmarks: 'list',
  ranks: 'list',
  averages: 'list',
})
const readSubgroups = storedList<Subgroups>('the subgroups of a board', { benchmark: 'text', rows: 'list' })

/**
 * What is reckoned of a board, once for the same records. Rows, their order and what is ranked follow from the records,
 * and from what the benchmarks say of their metrics.
 * @param records digests of the records that values come from
 */
const storedBoard = (
  records: readonly string[],
  store: Store,
): Required<Pick<SuiteSource, 'uncertainty' | 'pairs' | 'tasks' | 'subgroups'>> => {
  const part = async <T>(
    name: keyof typeof VERSIONS,
    shown: unknown,
    read: (value: Json | undefined) => T | undefined,
    make: () => T,
    json: (made: T) => Json,
  ): Promise<T> => {
    const id = `${name}:${VERSIONS[name]}:${digestOf<'text'>(JSON.stringify([records, shown]))}`
    const known = read(store.get('files', id))
    if (known !== undefined) return known
    const made = make()
    await store.put('files', id, json(made))
    return made
  }
  const cells = ({ rows }: Board): unknown => rows.map((row) => [row.model, row.cells])
  return {
    uncertainty: (board, values) => {
      const shown = [board.benchmarks, board.winRateColumns, cells(board)]
      return part('uncertainty', shown, readUncertainty, () => boardUncertainty(board, values), asJson)
    },
    pairs: (board, told) =>
      part('pairs', [board.benchmarks, cells(board)], readPairs, () => boardPairs(board, told), asJson),
    tasks: (board, values) =>
      part('tasks', [board.benchmarks, cells(board)], readTasks, () => rankedTasks(board, values), asJson),
    subgroups: (board, runs) => {
      const attributes = runs.map((run) => run.attributes)
      const deployments = board.rows.map(({ model }) => model.deployment)
      const shown = [board.benchmarks, deployments, attributes]
      return part('subgroups', shown, readSubgroups, () => boardSubgroups(board, runs), asJson)
    },
  }
}
