import { asJson } from '../../../cache/stored-shape.ts'
import { groupBy } from '../../../cache/lists.ts'
import { keepStudy } from '../../../targets/runs/kept-study.ts'
import type { ExitCode } from '../../../cache/problems/problem.ts'
import { studyLines } from '../../jury/format-judge-agreement.ts'
import {
  formatShare,
  formatValue,
  intervalText,
  valueOrDash,
  orDash,
} from '../../../cache/words/number-text.ts'
import { alignedTable, indented, tabulated, type TextColumns } from '../../../cache/words/tables.ts'
import {
  askRepeats,
  countCalls,
  repeatRun,
  type JudgeRepeats,
  type RepeatCount,
  type RepeatedAnswers,
  type Repeated,
} from '../../jury/repeat-runs.ts'
import { forgetSite } from '../../nx/kept-token.ts'
import type { Session } from '../../session/session.ts'
import { NO_AGREEMENT_INTERVAL } from '../../../targets/statistics/resampling/jackknife.ts'
import { countFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { askJudges } from './ask-judges.ts'

const REPEATS = 3

/** `medmake jury repeats`: asks each judge the same several times, and says how alike its scores are. */
export const juryRepeats = async (invocation: Invocation): Promise<ExitCode> => {
  const instances = countFlag(invocation.flags, 'instances')
  const repeats = countFlag(invocation.flags, 'repeats', 2) ?? REPEATS
  const count: RepeatCount = { repeats, ...(instances === undefined ? {} : { instances }) }
  return askJudges(invocation, {
    what: `${repeats} repeats take`,
    about: { repeats },
    open: async (run, session) => [await repeatRun(run, count, session)],
    count: (runs) => countCalls(runs, count),
    ask: async (runs, session) => {
      const repeated = await askRepeats(runs, count, session)
      if (repeated !== undefined) await keepRepeats(runs, repeated, session)
      return repeated
    },
    text: (repeated) => repeatsText(repeated, repeats),
  })
}

/** For the board, which shows them on its page of judges. */
const keepRepeats = async (
  runs: readonly RepeatedAnswers[],
  { judges }: Repeated,
  { env, workspace }: Session,
): Promise<void> => {
  for (const [benchmark, own] of groupBy(runs, (run) => run.benchmark)) {
    const found = judges.filter((each) => each.benchmark === benchmark)
    const records = own.map(({ record }) => record)
    await keepStudy('repeats', records, asJson(found), env.records)
  }
  forgetSite(workspace)
}

const COLUMNS: TextColumns<JudgeRepeats> = [
  ['judge', ({ judge }) => judge],
  [
    'answers',
    ({ answers, compared }) => (compared === answers ? String(answers) : `${compared} of ${answers}`),
  ],
  ['same scores', ({ identical }) => orDash(identical, formatShare)],
  ['SD', ({ sd }) => valueOrDash(sd)],
  ['largest change', ({ maxChange }) => maxChange?.toString() ?? '–'],
  ['ICC(1,1)', ({ icc }) => (icc === undefined ? '–' : formatValue(icc.value) + intervalText(icc.interval))],
  ['alpha', ({ alpha }) => valueOrDash(alpha)],
  [
    'means',
    ({ means }) =>
      means.length === 0 ? '–' : `${formatValue(Math.min(...means))} to ${formatValue(Math.max(...means))}`,
  ],
  ['unreadable', ({ unreadable }) => String(unreadable)],
]

const repeatsText = ({ judges, studies }: Repeated, repeats: number): string => {
  const benchmarks = [...new Set(judges.map(({ benchmark }) => benchmark))]
  return benchmarks
    .map((benchmark) => {
      const rows = judges.filter((each) => each.benchmark === benchmark)
      const found = studies.find((each) => each.benchmark === benchmark)
      return [
        `${benchmark}, each judge asked ${repeats} times`,
        indented(alignedTable(...tabulated(COLUMNS, rows))),
        ...(rows.some(({ icc }) => icc !== undefined && icc.interval === undefined)
          ? [`  no interval of an ICC: ${NO_AGREEMENT_INTERVAL}`]
          : []),
        ...(found?.study == null
          ? ['  no variance components: fewer than two answers have all judgements']
          : studyLines(found.study, `${found.answers} answers`)),
      ].join('\n')
    })
    .join('\n\n')
}
