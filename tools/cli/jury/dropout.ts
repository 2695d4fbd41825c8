import type { ExitCode } from '../../../cache/problems/problem.ts'
import { juryScoring } from '../../../targets/runs/judged-summary.ts'
import { compareDropout, judgeRun, type Dropout } from '../../../targets/jury/study/dropout.ts'
import { formatValue } from '../../../cache/words/number-text.ts'
import { alignedTable, indented } from '../../../cache/words/tables.ts'
import type { Invocation } from '../verb.ts'
import { studyJudges } from './ask-judges.ts'

/** `medmake jury dropout`: scores and ranks without each judge. */
export const juryDropout = async (invocation: Invocation): Promise<ExitCode> =>
  studyJudges(invocation, (runs, { env }) => {
    const found = compareDropout(
      runs.map(({ target, jury, view }) =>
        judgeRun(view.states(), {
          benchmark: target.spec.benchmark.runName,
          model: target.spec.adapter.modelDeployment,
          jury: juryScoring(target, jury, env.profile),
        }),
      ),
    )
    return { json: { dropout: found.map(dropoutJson) }, texts: () => found.map(dropoutText) }
  })

const dropoutJson = ({ benchmark, rows, swaps }: Dropout) => ({
  benchmark,
  models: rows.map(({ model, all, without }) => ({ model, all, without: Object.fromEntries(without) })),
  swaps: Object.fromEntries(swaps),
})

const dropoutText = ({ benchmark, rows, swaps }: Dropout): string => {
  const judges = [...swaps.keys()]
  const table = alignedTable(
    ['model', 'all judges', ...judges.map((judge) => `without ${judge}`)],
    [
      ...rows.map(({ model, all, without }) => [
        model,
        ...[all, ...judges.map((judge) => without.get(judge))].map((standing) =>
          standing === undefined ? '' : `${formatValue(standing.score)} (${standing.rank})`,
        ),
      ]),
      ['pairs that swap', '', ...judges.map((judge) => String(swaps.get(judge) ?? 0))],
    ],
  )
  return [benchmark, indented(table)].join('\n')
}
