import { remembered } from '../../../cache/once.ts'
import { requestText } from '../../../targets/adapters/prompt.ts'
import type { Taxonomy } from '../../../benchmarks/taxonomy.ts'
import type { Prices } from '../../../models/prices/price.ts'
import { withSpending, withTaskSpending, type DeploymentUsage } from '../../../targets/board/board-cost.ts'
import type { BoardValues } from '../../../targets/board/board-columns.ts'
import { withUncertainty, type BoardUncertainty } from '../../../targets/board/board-uncertainty.ts'
import type { ColumnPairs } from '../../../targets/board/board-pairs.ts'
import type { GroupedValues, Subgroups } from '../../../targets/board/board-subgroups.ts'
import type { RankedTask } from '../../../targets/board/board-tasks.ts'
import { makeBoard, type Board } from '../../../targets/board/board.ts'
import { scenarioOf } from '../../../targets/runs/board-metric.ts'
import type { InstanceVector } from '../../../targets/runs/instance-vector.ts'
import { QuestionIds, withQuestionIds } from '../../../targets/runs/question-ids.ts'
import { judgedCoverage } from '../../../targets/runs/judged-coverage.ts'
import { compareDropout, type RankedScores } from '../../../targets/jury/study/dropout.ts'
import { isCovered } from '../../../targets/record/coverage.ts'
import { isShown } from '../../../targets/access/suppress-small.ts'
import type { BoardRun } from '../../../targets/runs/board-run.ts'
import type { ReadState } from '../../../targets/runs/read-state.ts'
import { boardRun, type Requests, type Run } from '../../../targets/runs/run.ts'
import type { InstanceView } from '../pages/run/instances/instance-view.ts'
import { makeInstanceView } from '../pages/run/instances/make-instance-view.ts'
import { MetricValues, shownId } from '../pages/run/metric-values.ts'
import { runValues, KnownQuestions } from '../history/run-values.ts'
import type { SiteRun, SiteSuite } from '../site.ts'
import { runFacts } from './run-facts.ts'
import { inTaxonomyOrder } from './taxonomy-order.ts'

/** At once, or once it is read from a store. */
type Reckoned<T> = T | Promise<T>

/** Runs of one suite, and what is reckoned of them together. */
export interface SuiteSource {
  readonly suite: string
  readonly runs: readonly Run[]
  /** The order of the board's columns; without it they stand as the runs do. */
  readonly taxonomy?: Taxonomy
  readonly prices: Prices
  readonly uncertainty: (board: Board, values: readonly BoardValues[]) => Reckoned<BoardUncertainty>
  /** Absent where the board shows no differences by benchmark. */
  readonly pairs?: (board: Board, told: readonly BoardValues[]) => Reckoned<readonly ColumnPairs[]>
  /** Absent where places within tasks cannot be told from what is at hand. */
  readonly tasks?: (board: Board, values: readonly BoardValues[]) => Reckoned<readonly RankedTask[]>
  /** Absent where nothing is known of instances besides their scores. */
  readonly subgroups?: (board: Board, runs: readonly GroupedValues[]) => Reckoned<readonly Subgroups[]>
}

interface ReadRun {
  readonly run: BoardRun
  readonly site: SiteRun
  readonly usage: DeploymentUsage['usage']
}

/** A suite's board and run pages, wherever its runs are read from. Instances are read only when a page is written. */
export const siteSuite = async (source: SuiteSource): Promise<SiteSuite> => {
  const { suite, taxonomy, prices } = source
  const [told, withheld]: [BoardValues[], BoardValues[]] = [[], []]
  const grouped: GroupedValues[] = []
  const judged: RankedScores[] = []
  const read: ReadRun[] = []
  const known = new KnownQuestions()
  const names = new Map<string, QuestionIds>()
  const named = (vector: InstanceVector, { name, benchmark }: Run): InstanceVector => {
    const scenario = JSON.stringify([benchmark.name, scenarioOf(name)])
    const own = remembered(names, scenario, () => new QuestionIds())
    return withQuestionIds(vector, own)
  }
  for (const each of source.runs) {
    const place = { run: each.name, benchmark: each.benchmark.name, deployment: each.model.deployment }
    const { run, hidden } = await boardRun(each)
    if (run.vector !== undefined) told.push({ ...place, vector: named(run.vector, each) })
    if (hidden !== undefined) withheld.push({ ...place, vector: named(hidden, each) })
    const vector = run.vector ?? hidden
    const groups = await each.instanceGroups?.()
    if (vector !== undefined && groups !== undefined)
      grouped.push({ values: { ...place, vector }, ...groups })
    const own = await each.judged?.()
    if (own !== undefined && own.run.requests > 0)
      judged.push({ ...own.run, isRanked: isRankedJury(each, run) })
    const facts = runFacts(each, run, { judges: own?.judges ?? [], priceOf: (name) => prices.get(name) })
    const values = valuesOf(each, run, known)
    read.push({ run, site: { facts, ...instancesOf(each), ...values }, usage: each.usage })
  }
  const runs = taxonomy === undefined ? read : inTaxonomyOrder(read, taxonomy)
  const board = makeBoard(
    suite,
    runs.map(({ run }) => run),
  )
  const values = [...withheld, ...told]
  const spent = runs.map(({ run, usage }) => ({
    benchmark: run.benchmark.name,
    deployment: run.model.deployment,
    usage,
  }))
  const tasks = await source.tasks?.(board, values)
  const subgroups = await source.subgroups?.(board, grouped)
  return {
    board: withSpending(withUncertainty(board, await source.uncertainty(board, values)), spent, prices),
    runs: runs.map(({ site }) => (subgroups === undefined ? site : withSubgroups(site, board, subgroups))),
    // Files of another program tell of judgements, not of the scores without each judge.
    ...(source.runs.some((run) => run.judged !== undefined) ? { dropout: compareDropout(judged) } : {}),
    values: told,
    ...(source.pairs && { pairs: await source.pairs(board, told) }),
    ...(tasks && { tasks: withTaskSpending(tasks, board, spent, prices) }),
    ...(subgroups && { subgroups }),
  }
}

const isRankedJury = ({ ownStats }: Run, { coverage, benchmark }: BoardRun): boolean =>
  isCovered(judgedCoverage({ coverage, ownStats }, benchmark.mainMetric.split), benchmark.coverageFloor)

/** A run's page with its scores by attribute, where they are of this run alone. */
const withSubgroups = (site: SiteRun, { rows }: Board, subgroups: readonly Subgroups[]): SiteRun => {
  const { name, model, benchmark } = site.facts
  const cells = rows.find((row) => row.model.deployment === model.deployment)?.cells ?? []
  if (!cells.some(({ runs }) => runs.length === 1 && runs[0] === name)) return site
  const own = subgroups.flatMap(({ attribute, groups, withheld, rows: all, ...of }) =>
    all
      .filter((row) => of.benchmark === benchmark.name && row.deployment === model.deployment)
      .map((row) => ({ attribute, groups, withheld, row })),
  )
  return own.length === 0 ? site : { ...site, facts: { ...site.facts, subgroups: own } }
}

const valuesOf = (
  run: Run,
  { vector }: Pick<BoardRun, 'vector'>,
  known: KnownQuestions,
): Pick<SiteRun, 'values'> => (vector ? { values: () => runValues(run, vector, known) } : {})

/** What a run's page shows of its instances: nothing where their texts are not public. */
const instancesOf = ({ benchmark, adapter, requests }: Run): Pick<SiteRun, 'instances' | 'prompt'> =>
  requests === undefined || !isShown(benchmark)
    ? {}
    : {
        instances: () => instanceViews(requests, adapter.outputMappingPattern),
        prompt: async () => {
          for await (const { request } of (await requests()).states()) return requestText(request)
          return undefined
        },
      }

async function* instanceViews(
  requests: () => Promise<Requests>,
  mappingPattern: string | undefined,
): AsyncGenerator<InstanceView<string>> {
  const { states, values: all, sources } = await requests()
  const values = new MetricValues()
  for await (const stats of all()) values.add(stats)
  for await (const state of states()) {
    const { id: own = '', perturbation } = state.instance
    const id = shownId(own, perturbation)
    const source = sources.get(String(own))
    yield {
      ...makeInstanceView(
        state,
        [...values.of(id, state.trainTrialIndex), ...ownValues(state)],
        mappingPattern,
      ),
      id,
      ...(source === undefined ? {} : { source }),
    }
  }
}

const ownValues = ({ ownPoints }: ReadState): readonly (readonly [name: string, value: number])[] =>
  (ownPoints?.() ?? []).flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]))
