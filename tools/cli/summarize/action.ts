import { relative } from 'node:path'
import { defined } from '../../../cache/values/defined.ts'
import { EXIT } from '../../../cache/problems/problem.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { loadRegistry } from '../../../models/registry/load.ts'
import { declaredScenarios, declaredRuns } from '../../helm/declared-run.ts'
import { summarize, type SummarizeOptions } from '../../helm/summarize.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import {
  boolFlag,
  choiceFlag,
  countFlag,
  nameFlag,
  namesFlag,
  refuseUnsupported,
  textFlag,
} from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Action, FlagValues } from '../verb.ts'
import { readableBenchmarks } from '../common/readable-benchmarks.ts'
import { localDate } from '../common/command-of.ts'
import { localPathOf, outputPathOf } from '../common/session-flags.ts'

/** `medmake summarize`, HELM's helm-summarize. */
export const summarizeAction: Action = async (invocation) => {
  const { flags, cwd, print, warn } = invocation
  refuseUnsupported(flags, INSTEAD)
  countFlag(flags, 'numThreads')
  const workspace = await findWorkspace(cwd)
  const registry = await loadRegistry({
    workspace: workspace.root,
    localPath: localPathOf(flags, cwd, workspace),
  })
  const declaredOf = declaredRuns(await readableBenchmarks({ workspace: workspace.root }, invocation), {
    workspace: workspace.root,
    cwd,
  })
  const summary = await summarize({
    ...scopeFlags(flags),
    // As the user wrote it: HELM prints this path into links and run paths.
    outputPath: textFlag(flags, 'outputPath') ?? (relative(cwd, outputPathOf(flags, cwd, workspace)) || '.'),
    remember: true,
    schemaValidation: choiceFlag(flags, 'schemaValidation', ['error', 'warn', 'off']) ?? 'warn',
    debug: boolFlag(flags, 'debug'),
    skipCompletedRunDisplayJson: boolFlag(flags, 'skipCompletedRunDisplayJson'),
    modelRegistry: registry,
    scenarioOf: declaredScenarios(declaredOf),
    declaredOf,
    today: localDate(new Date()),
  })
  if (summary.problems.length > 0) warn(formatProblems(summary.problems, process.stderr.isTTY))
  print(`summarised ${plural(summary.runs, 'run')} in ${summary.directory}`)
  return summary.problems.some(({ code }) => UNREAD.test(code)) ? EXIT.incomplete : EXIT.done
}

/** Of runs that can't be read, where HELM's program ends, or not be trusted. */
const UNREAD = /^tools\/(?:torn-file|bad-json|not-helm-form|stale-run)$/

/** HELM's flags that have no counterpart, each with what to do instead. */
const INSTEAD = {
  summarizerClassName: 'Leave it out: tables are those of HELM’s own Summarizer.',
  logConfig: 'Leave it out: what is wrong is told on standard error.',
}

const scopeFlags = (
  flags: FlagValues,
): Pick<SummarizeOptions, 'suite' | 'release' | 'suites' | 'schemaPath' | 'autoGenerateSchema'> => {
  const suite = nameFlag(flags, 'suite')
  const release = nameFlag(flags, 'release')
  const suites = namesFlag(flags, 'suites')
  const schemaPath = textFlag(flags, 'schemaPath')
  return defined({
    suite,
    release,
    suites,
    schemaPath,
    ...(boolFlag(flags, 'autoGenerateSchema') ? { autoGenerateSchema: true } : {}),
  })
}
