import type { ExitCode } from '../../../cache/problems/problem.ts'
import type { ProbeEffect } from '../../../targets/jury/probe-effects.ts'
import { PROBES, type Probe } from '../../../targets/jury/study/probes.ts'
import { formatDifference, formatShare, orDash } from '../../../cache/words/number-text.ts'
import { alignedTable, indented } from '../../../cache/words/tables.ts'
import { askProbes, countProbeCalls, probeRuns } from '../../jury/probe-runs.ts'
import { choiceOf, countFlag, listFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { askJudges } from './ask-judges.ts'

/** Answers of each run that are altered, unless asked otherwise. */
const INSTANCES = 20

/** `medmake jury probe`: what the judges make of answers, references and rubrics that were altered on purpose. */
export const juryProbe = async (invocation: Invocation): Promise<ExitCode> => {
  const instances = countFlag(invocation.flags, 'instances') ?? INSTANCES
  const probes = (listFlag(invocation.flags, 'probes') ?? Object.keys(PROBES)).map((name) =>
    choiceOf(name, '--probes', Object.keys(PROBES) as Probe[]),
  )
  return askJudges(invocation, {
    what: `${probes.join(', ')} of ${instances} answers a run take`,
    about: { probes, instances },
    open: async (run, session) => probeRuns(run, probes, { instances, session }),
    count: countProbeCalls,
    ask: askProbes,
    text: ({ effects }) => effectsText(effects),
  })
}

const effectsText = (effects: readonly ProbeEffect[]): string =>
  [...new Set(effects.map(({ benchmark }) => benchmark))]
    .map((benchmark) => {
      const own = effects.filter((each) => each.benchmark === benchmark)
      const table = alignedTable(
        ['probe', 'judge', 'answers', 'change', '95 %', 'rose', 'fell'],
        own.map(({ probe, judge, answers, change, interval, rose, fell }) => [
          probe,
          judge,
          String(answers),
          orDash(change, formatDifference),
          interval === null ? '–' : `${formatDifference(interval.low)} to ${formatDifference(interval.high)}`,
          formatShare(rose),
          formatShare(fell),
        ]),
      )
      const legend = [...new Set(own.map(({ probe }) => probe))].map(
        (probe) => `  ${probe}: ${PROBES[probe]}`,
      )
      return [`${benchmark}, points`, indented(table), ...legend].join('\n')
    })
    .join('\n\n')
