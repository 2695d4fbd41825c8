import { EXIT, ProblemError } from '../../../cache/problem.ts'
import { compareDropout, judgeRun, type Dropout, type JudgedRun } from '../../../targets/jury/dropout.ts'
import { metricOf } from '../../../targets/metrics/catalog.ts'
import { viewRecord } from '../../../targets/record/view.ts'
import { targetKey } from '../../../targets/scheduler/target-key.ts'
import { freshRecord } from '../../../targets/scheduler/trace.ts'
import { resolveTargets, type SuiteTarget } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace } from '../../session/workspace.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { suitesOf } from './suites.ts'

/** `medmake jury dropout`: scores and ranks without each judge. */
export const juryAction: Action = async (invocation) => {
  const { args, flags, cwd, print } = invocation
  const [command, ...suites] = args
  if (command !== 'dropout')
    throw new ProblemError({
      code: 'cli/unknown-command',
      message: `medmake jury ${command ?? ''} is no command`,
      remedy: 'Use medmake jury dropout.',
    })
  const workspace = await findWorkspace(cwd)
  return withSession(invocation, { workspace, readOnly: true }, async (session) => {
    const targets = await resolveTargets(await suitesOf({ ...invocation, args: suites }, workspace), session)
    const judged: JudgedRun[] = []
    for (const each of targets) {
      const run = await judgedRun(each, session)
      if (run !== undefined) judged.push(run)
    }
    if (judged.length === 0) throw nothingJudged()
    const found = compareDropout(judged)
    if (boolFlag(flags, 'json')) print(JSON.stringify({ dropout: found.map(dropoutJson) }))
    else print(found.map(dropoutText).join('\n\n'))
    return EXIT.done
  })
}

/** Undefined for a benchmark without a jury. @throws ProblemError for a run that is not built */
const judgedRun = async (
  { suite, target }: SuiteTarget,
  { env }: Session,
): Promise<JudgedRun | undefined> => {
  const { spec, judges } = target
  const { jury } = spec.benchmark
  const metric = spec.metrics.find((each) => each.metric === 'llm_jury')
  if (jury === undefined || metric === undefined) return undefined
  const built = freshRecord((await targetKey(target, env.profile)).digest, env.store)
  if (built === undefined)
    throw new ProblemError({
      code: 'jury/not-built',
      message: `${spec.name} is not built as it is declared now`,
      remedy: `Run \`medmake run ${suite}\` first.`,
    })
  const view = await viewRecord(target, built, env)
  const llmJury = await metricOf('llm_jury')
  return judgeRun(view.states(), {
    benchmark: spec.benchmark.runName,
    model: spec.adapter.modelDeployment,
    jury: {
      score: (state) => llmJury.evaluate(state, metric, spec.adapter, env.profile)[0]?.value ?? NaN,
      annotator: jury.annotator,
      judges: judges.map(({ judge }) => judge.name),
    },
  })
}

const nothingJudged = (): ProblemError =>
  new ProblemError({
    code: 'jury/no-jury',
    message: 'no benchmark of these suites has a jury',
    remedy: 'Name a suite with one; `medmake run --dry-run` lists what the suites hold.',
  })

const dropoutJson = ({ benchmark, rows, swaps }: Dropout) => ({
  benchmark,
  models: rows.map(({ model, all, without }) => ({ model, all, without: Object.fromEntries(without) })),
  swaps: Object.fromEntries(swaps),
})

const dropoutText = ({ benchmark, rows, swaps }: Dropout): string => {
  const judges = [...swaps.keys()]
  const table = [
    ['model', 'all judges', ...judges.map((judge) => `without ${judge}`)],
    ...rows.map(({ model, all, without }) => [
      model,
      ...[all, ...judges.map((judge) => without.get(judge))].map((standing) =>
        standing === undefined ? '' : `${standing.score.toFixed(3)} (${standing.rank})`,
      ),
    ]),
    ['pairs that swap', '', ...judges.map((judge) => String(swaps.get(judge) ?? 0))],
  ]
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  )
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [benchmark, ...lines.map((line) => `  ${line}`)].join('\n')
}
