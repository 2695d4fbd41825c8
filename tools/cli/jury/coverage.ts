import type { ExitCode } from '../../../cache/problems/problem.ts'
import { JudgeCounter, type JudgeCoverage } from '../../../targets/jury/judge-coverage.ts'
import { formatShare, formatValue, valueOrDash } from '../../../cache/words/number-text.ts'
import { alignedTable, indented } from '../../../cache/words/tables.ts'
import type { JudgedTarget } from '../../jury/judged-runs.ts'
import type { Invocation } from '../verb.ts'
import { studyJudges } from './ask-judges.ts'

/** `medmake jury coverage`: how many of each judge's replies count, and its means by criterion. */
export const juryCoverage = async (invocation: Invocation): Promise<ExitCode> =>
  studyJudges(invocation, (runs) => {
    const coverage = runs.map(coverageOfRun)
    return { json: { coverage }, texts: () => benchmarksOf(coverage).map(benchmarkText) }
  })

interface RunCoverage {
  readonly benchmark: string
  readonly model: string
  /** `[least, most]` of the rubric. */
  readonly scale: readonly [number, number]
  readonly judges: readonly JudgeCoverage[]
}

const coverageOfRun = ({ target, jury, view, reading }: JudgedTarget): RunCoverage => {
  const { benchmark, adapter } = target.spec
  const counter = new JudgeCounter(reading)
  for (const state of view.states()) counter.add(state)
  return {
    benchmark: benchmark.runName,
    model: adapter.modelDeployment,
    scale: [jury.scale.least, jury.scale.most],
    judges: counter.result(),
  }
}

const benchmarksOf = (runs: readonly RunCoverage[]): readonly (readonly RunCoverage[])[] =>
  [...new Set(runs.map(({ benchmark }) => benchmark))].map((name) =>
    runs.filter(({ benchmark }) => benchmark === name),
  )

const benchmarkText = (runs: readonly RunCoverage[]): string => {
  const [first] = runs
  if (first === undefined) return ''
  const criteria = [
    ...new Set(
      runs.flatMap(({ judges }) => judges.flatMap((judge) => judge.criteria.map((each) => each.criterion))),
    ),
  ]
  const rows = runs.flatMap(({ model, judges }) => judges.map((judge) => rowOf(model, judge, criteria)))
  const table = alignedTable(
    ['model', 'judge', 'answers', 'counted', 'unreadable', 'out of range', 'mean', ...criteria],
    rows,
  )
  const isRead = runs.every(({ judges }) => judges.every(({ unreadable }) => unreadable === 0))
  const note = isRead ? '' : '\n  unreadable: no reply, or none that could be read'
  return `${first.benchmark}, scores from ${first.scale.join(' to ')}\n${indented(table)}${note}`
}

/** A criterion that was not scored in every answer shows in how many it was. */
const rowOf = (model: string, judge: JudgeCoverage, criteria: readonly string[]): readonly string[] => {
  const { asked, counted, unreadable, outOfRange, mean } = judge
  return [
    model,
    judge.judge,
    String(asked),
    asked === 0 ? '–' : formatShare(counted / asked),
    String(unreadable),
    String(outOfRange),
    valueOrDash(mean),
    ...criteria.map((name) => {
      const own = judge.criteria.find(({ criterion }) => criterion === name)
      if (own === undefined || own.mean === null) return '–'
      return `${formatValue(own.mean)}${own.counted === asked ? '' : ` (${own.counted})`}`
    }),
  ]
}
