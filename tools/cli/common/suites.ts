import { existsSync } from 'node:fs'
import { defined } from '../../../cache/values/defined.ts'
import { join, resolve } from 'node:path'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { declareRemedy, type ModelRegistry } from '../../../models/registry/registry.ts'
import type { ResolveOptions } from '../../../targets/entries/resolve.ts'
import {
  readRunEntries,
  runEntryOf,
  type EntryMemory,
  type RunEntry,
} from '../../../targets/entries/run-entry.ts'
import { listSuites, readSuite } from '../../session/suites.ts'
import { resolveTargets, type SuiteEntries, type SuiteTarget } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { badFlag, boolFlag, countFlag, listFlag, nameFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { FlagValues, Invocation } from '../verb.ts'
import { outputPathOf } from './session-flags.ts'

/**
 * What the user asked to run: files and entries named by flags go to one suite as in HELM;
 * else the suites named, else all of the workspace. Entries whose benchmark nobody knows are left out with a warning,
 * unless `--exit-on-error` asks for HELM's way.
 *
 * @param from - a session, or the workspace without one; `entries`: files parsed before
 * @throws ProblemError
 */
export const suitesOf = async (
  invocation: Invocation,
  from: { readonly workspace: Workspace; readonly entries?: EntryMemory },
): Promise<readonly SuiteEntries[]> => {
  const suites = await namedSuites(invocation, from.workspace, from.entries)
  if (boolFlag(invocation.flags, 'exitOnError')) return suites
  const onUnknown: ResolveOptions['onUnknown'] = ({ problems }, { description }) => {
    invocation.leftOut.push(description)
    invocation.warn(`Left out: ${description}`)
    invocation.warn(formatProblems(problems, false))
  }
  return suites.map((suite) => ({ ...suite, options: { ...suite.options, onUnknown } }))
}

/** Likewise, as targets. @throws ProblemError */
export const targetsOf = async (
  invocation: Invocation,
  session: Session,
): Promise<readonly SuiteTarget[]> => {
  if (invocation.strictHelm) refuseUnknownModels(invocation.flags, session.registry)
  return asAsked(await resolveTargets(await suitesOf(invocation, session), session), invocation)
}

/** helm-run ends well where no entry is of a model that it knows, and with an error where it knows none of that name. */
const refuseUnknownModels = (flags: FlagValues, registry: ModelRegistry): void => {
  const problems = (listFlag(flags, 'modelsToRun') ?? [])
    .filter((name) => registry.model(name) === undefined && registry.deployment(name) === undefined)
    .map((name) => ({
      code: 'models/unknown',
      message: `no model or deployment is named ${name}`,
      where: { field: '--models-to-run' },
      remedy: declareRemedy(name, registry),
    }))
  if (problems.length > 0) throw new ProblemError(problems)
}

/**
 * Tells of each `--models-to-run` and `--groups-to-run` that no target is of; HELM runs what is left, be it nothing.
 * @throws ProblemError `cli/nothing-to-run` where no target is left of what the flags ask for
 */
export const asAsked = (
  targets: readonly SuiteTarget[],
  { flags, warn, strictHelm, leftOut }: Invocation,
): readonly SuiteTarget[] => {
  const asked = ['modelsToRun', 'groupsToRun'].flatMap((name) => listFlag(flags, name) ?? [])
  if (targets.length === 0 && leftOut.length === 0 && !strictHelm)
    throw nothingToRun(
      asked.length > 0
        ? `No entry fits ${asked.join(', ')}: --models-to-run takes the models that entries name, --groups-to-run their benchmarks' groups.`
        : flags['priority'] === undefined
          ? 'No suite that is asked for has an entry: write some to its file, `{description: "pubmed_qa:model=…", priority: 1}`.'
          : `--priority leaves out every entry, as each has a greater one.`,
    )
  const models = new Set(
    targets.flatMap(({ target: { spec } }) => [spec.adapter.model, spec.adapter.modelDeployment]),
  )
  for (const model of listFlag(flags, 'modelsToRun') ?? [])
    if (!models.has(model)) warn(`no entry is of --models-to-run ${model}`)
  // Groups that an entry adds choose nothing, as in HELM.
  const groups = new Set(targets.flatMap(({ target: { spec } }) => spec.benchmark.groups))
  for (const group of listFlag(flags, 'groupsToRun') ?? [])
    if (!groups.has(group)) warn(`no entry's benchmark is of --groups-to-run ${group}`)
  return targets
}

const namedSuites = async (
  { args, flags, cwd, strictHelm }: Invocation,
  workspace: Workspace,
  memory: EntryMemory | undefined,
): Promise<readonly SuiteEntries[]> => {
  const named = await entriesOf(flags, cwd, memory)
  if (named !== undefined) {
    if (args.length > 0) throw suitesBesideEntries(args, flags)
    const suite = nameFlag(flags, 'suite') ?? 'default'
    return [{ suite, entries: named, options: optionsOf(flags, workspace, suite, strictHelm) }]
  }
  if (strictHelm) throw nothingToRun('Give --conf-paths or --run-entries.')
  const names = args.length > 0 ? args : [...(await listSuites(workspace.root)).keys()]
  if (names.length === 0)
    throw nothingToRun(
      'Name a file with --conf-paths, or write a suite to targets/; `medmake init` makes a workspace.',
    )
  return Promise.all(
    names.map(async (suite) =>
      withModels(
        suite,
        await readSuite(workspace.root, suite, memory).catch((error: unknown) => {
          throw withHelmRuns(error, suite, outputPathOf(flags, cwd, workspace))
        }),
        optionsOf(flags, workspace, suite, false),
        workspace.config.suites[suite]?.models,
      ),
    ),
  )
}

/** Only the entries would be taken. */
const suitesBesideEntries = (names: readonly string[], { confPaths }: FlagValues): ProblemError => {
  const flag = confPaths === undefined ? '--run-entries' : '--conf-paths'
  return badFlag(
    flag,
    `${flag} stands in the place of suites, and ${names.join(', ')} is named, too`,
    `Leave one or the other out; a suite’s file is targets/NAME.conf for --conf-paths.`,
  )
}

/** Who comes with HELM's files alone has no file of entries: what shows these is named. */
const withHelmRuns = (error: unknown, suite: string, output: string): unknown => {
  const folder = join(output, 'runs', suite)
  if (!(error instanceof ProblemError) || !existsSync(folder)) return error
  const shows = `${folder} holds runs of that name as HELM's files: \`medmake serve --suite ${suite} --output-path ${output}\` shows them, \`medmake compare --from ${output}\` compares them.`
  return new ProblemError(
    error.problems.map((problem) =>
      problem.code === 'targets/unknown-suite'
        ? { ...problem, remedy: `${shows} ${problem.remedy}` }
        : problem,
    ),
  )
}

/**
 * Built-in suites leave the models to the user: flag, else the suite's setting. One problem for all their entries where
 * neither names any; a suite without entries needs none.
 */
const withModels = (
  suite: string,
  entries: readonly RunEntry[],
  options: ResolveOptions,
  models: readonly string[] | undefined,
): SuiteEntries => {
  const modelless = entries.length > 0 && entries.every(namesNone)
  if (options.modelsToRun !== undefined || !modelless) return { suite, entries, options }
  if (models !== undefined) return { suite, entries, options: { ...options, modelsToRun: models } }
  throw new ProblemError({
    code: 'targets/no-model',
    message: `the suite ${suite} names no model`,
    where: { field: '--models-to-run' },
    remedy: `Write to medmake.yaml which answer: \`suites: { ${suite}: { models: [openai/gpt-4o-2024-05-13] } }\`; run, estimate, report and others take --models-to-run, too. \`medmake models\` lists them.`,
  })
}

const namesNone = ({ description }: RunEntry): boolean => /[:,]model=[^/,]*$/.test(description)

const nothingToRun = (remedy: string): ProblemError =>
  new ProblemError({ code: 'cli/nothing-to-run', message: 'there is nothing to run', remedy })

const entriesOf = async (
  flags: FlagValues,
  cwd: string,
  memory: EntryMemory | undefined,
): Promise<readonly RunEntry[] | undefined> => {
  const files = listFlag(flags, 'confPaths')
  const entries = [...(listFlag(flags, 'runEntries') ?? []), ...(listFlag(flags, 'runSpecs') ?? [])]
  if (files === undefined && entries.length === 0) return undefined
  const parts: RunEntry[] = []
  for (const file of files ?? []) parts.push(...(await readRunEntries(resolve(cwd, file), memory)))
  return [...parts, ...entries.map(runEntryOf)]
}

const optionsOf = (
  flags: FlagValues,
  { config }: Workspace,
  suite: string,
  strictHelm: boolean,
): ResolveOptions => {
  const own = config.suites[suite]
  const flag = countFlag(flags, 'maxEvalInstances')
  if (strictHelm && flag === undefined)
    throw new ProblemError({
      code: 'cli/missing-flag',
      message: '--max-eval-instances is required',
      where: { field: '--max-eval-instances' },
      remedy: 'Add -m 1000, the number that MedHELM publishes with.',
    })
  const trials = strictHelm ? undefined : (own?.num_train_trials ?? config.num_train_trials)
  return defined({
    maxEvalInstances: flag ?? own?.max_eval_instances ?? config.max_eval_instances,
    modelsToRun: listFlag(flags, 'modelsToRun'),
    groupsToRun: listFlag(flags, 'groupsToRun'),
    priority: countFlag(flags, 'priority', 0),
    numTrainTrials: countFlag(flags, 'numTrainTrials') ?? trials,
  })
}
