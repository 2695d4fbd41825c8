import type { ExitCode } from '../../../cache/problems/problem.ts'
import type { GoldReport, GoldRow } from '../../../targets/jury/gold-check.ts'
import { formatValue } from '../../../cache/words/number-text.ts'
import { alignedTable, indented } from '../../../cache/words/tables.ts'
import { askGold, countGoldCalls, goldRun } from '../../jury/gold-runs.ts'
import { UNRANKED } from '../../jury/judged-runs.ts'
import { textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { askJudges } from './ask-judges.ts'

/** `medmake jury gold`: references that a judge finds unsupported, and the models with and without them. */
export const juryGold = async (invocation: Invocation): Promise<ExitCode> => {
  const judge = textFlag(invocation.flags, 'judge')
  return askJudges(invocation, {
    what: 'reading the references takes',
    about: {},
    open: async (run, session) => [await goldRun(run, judge, session)],
    count: countGoldCalls,
    ask: askGold,
    text: ({ benchmarks }) => benchmarks.map(goldText).join('\n\n'),
  })
}

const goldText = ({ benchmark, judge, checked, flagged, unreadable, rows, swaps }: GoldReport): string =>
  [
    `${benchmark}: ${judge} finds ${flagged.length} of ${checked} references unsupported` +
      (unreadable === 0 ? '' : `; ${unreadable} replies say neither, their instances are kept`),
    indented(
      alignedTable(
        ['model', 'all', 'without them', 'on them alone'],
        rows.map(({ model, all, kept, flagged: own }) => [
          model,
          meanText(all),
          meanText(kept),
          meanText(own),
        ]),
      ),
    ),
    ...(rows.some(({ all }) => all.rank === null && all.mean !== null) ? [UNRANKED] : []),
    swaps.length === 0
      ? '  no pair of models swaps without them'
      : `  without them ${swaps.map(([before, after]) => `${after} passes ${before}`).join('; ')}`,
    ...(flagged.length === 0 ? [] : [`  unsupported: ${flagged.join(' ')}`]),
  ].join('\n')

const meanText = ({ mean, rank, answers }: GoldRow['all']): string =>
  mean === null ? '–' : `${formatValue(mean)} (${rank ?? '–'}), n ${answers}`
