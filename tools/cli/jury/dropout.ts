import type { ExitCode } from '../../../cache/problems/problem.ts'
import { isJurys } from '../../../targets/metrics/llm-jury.ts'
import { dropoutInput } from '../../../targets/runs/judged-summary.ts'
import { compareDropout, judgeRun, type Dropout } from '../../../targets/jury/study/dropout.ts'
import type { Standing } from '../../../targets/jury/study/standings.ts'
import { formatValue } from '../../../cache/words/number-text.ts'
import { alignedTable, indented } from '../../../cache/words/tables.ts'
import { isRankedRun, UNRANKED } from '../../jury/judged-runs.ts'
import type { Invocation } from '../verb.ts'
import { studyJudges } from './ask-judges.ts'

/** `medmake jury dropout`: scores and ranks without each judge. */
export const juryDropout = async (invocation: Invocation): Promise<ExitCode> =>
  studyJudges(invocation, (runs, session) => {
    const { env } = session
    const found = compareDropout(
      runs.map((run) => ({
        ...judgeRun({ asked: run.view.asked, states: run.view.states() }, dropoutInput(run, env.profile)),
        isRanked: isRankedRun(run, session),
      })),
    )
    const others = new Map(
      runs.flatMap(({ target: { spec } }) => {
        const { runName, mainMetric } = spec.benchmark
        const helm = spec.metrics.map((metric) => metric.helm)
        return isJurys(mainMetric.name, helm) ? [] : [[runName, mainMetric.name] as const]
      }),
    )
    return {
      json: { dropout: found.map(dropoutJson) },
      texts: () => found.map((each) => dropoutText(each, others.get(each.benchmark))),
    }
  })

const dropoutJson = ({ benchmark, rows, swaps }: Dropout) => ({
  benchmark,
  models: rows.map(({ without, ...row }) => ({ ...row, without: Object.fromEntries(without) })),
  swaps: Object.fromEntries(swaps),
})

/** @param ranked the metric that a board ranks by where it is not the jury's */
const dropoutText = ({ benchmark, rows, swaps }: Dropout, ranked: string | undefined): string => {
  const judges = [...swaps.keys()]
  const table = alignedTable(
    ['model', 'all judges', ...judges.map((judge) => `without ${judge}`)],
    [
      ...rows.map(({ model, asked, all, without }) => [
        model,
        ...[all, ...judges.map((judge) => without.get(judge))].map((standing) =>
          standing === undefined ? '' : standingText(standing, asked),
        ),
      ]),
      ['pairs that swap', '', ...judges.map((judge) => String(swaps.get(judge) ?? '–'))],
    ],
  )
  return [
    benchmark,
    indented(table),
    ...(rows.some(({ asked, all }) => all.instances < asked)
      ? ['  Over the instances of which each judge that is left could be read, as the board ranks.']
      : []),
    ...(rows.some(({ all }) => all.rank === null && all.score !== null) ? [UNRANKED] : []),
    ...(ranked === undefined ? [] : [`  The board ranks by ${ranked}, not by the jury.`]),
  ].join('\n')
}

/** `4.250 (1), 9 of 10`: the score, the rank by it if it has one, and how many instances it is over where some are missing. */
const standingText = ({ score, rank, instances }: Standing, asked: number): string =>
  (score === null ? '–' : `${formatValue(score)}${rank === null ? '' : ` (${rank})`}`) +
  (instances < asked ? `, ${instances} of ${asked}` : '')
