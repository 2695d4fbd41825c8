import { isDeepStrictEqual } from 'node:util'
import { remembered, once } from '../../cache/once.ts'
import { repr } from '../../benchmarks/python/numbers/number.ts'
import { ProblemError, type Place, type Problem } from '../../cache/problems/problem.ts'
import { targetOf } from '../../targets/entries/target-of.ts'
import { findBenchmark } from '../../benchmarks/lookup/find.ts'
import { resolveEntries, type ResolveOptions } from '../../targets/entries/resolve.ts'
import type { RunEntry } from '../../targets/entries/run-entry.ts'
import type { Target, RunSpec } from '../../targets/record/target.ts'
import type { LocateModel } from './local-models.ts'
import type { Session } from './session.ts'
import { idleCode, unusedCode } from '../../benchmarks/user-code/find-code.ts'
import { clientName, unnamedClients } from '../../models/clients/code/client-file.ts'
import { METRIC_CATALOG } from '../../targets/metrics/catalog.ts'

/** Run entries that go to one directory `runs/<suite>/`. */
export interface SuiteEntries {
  readonly suite: string
  readonly entries: readonly RunEntry[]
  readonly options: ResolveOptions
}

export interface SuiteTarget {
  readonly suite: string
  readonly target: Target
}

/**
 * Suites → targets, in order. A run that comes up twice in a suite, or whose suite is named twice, is one.
 * All problems of all entries come in one error, before anything is written.
 */
export const resolveTargets = async (
  suites: readonly SuiteEntries[],
  session: Pick<Session, 'registry' | 'benchmarks' | 'bertScore' | 'locateModel' | 'followAccess'>,
): Promise<readonly SuiteTarget[]> => {
  const benchmarks = new Map<string, ReturnType<typeof findBenchmark>>()
  const find = (
    name: string,
    args: Parameters<typeof findBenchmark>[1],
    where: Place,
  ): ReturnType<typeof findBenchmark> => {
    const id = JSON.stringify([name, [...args].map(([key, value]) => [key, repr(value)])])
    return remembered(benchmarks, id, () => withPlace(findOnce(name, args, session), where))
  }
  const targets: SuiteTarget[] = []
  const unknown: Unknown[] = []
  const bySuite = new Map<string, Map<string, RunSpec>>()
  for (const { suite, entries, options } of suites) {
    const specs = await resolveEntries(entries, {
      registry: session.registry,
      findBenchmark: find,
      options: collecting(options, unknown),
    })
    const seen = remembered(bySuite, suite, () => new Map<string, RunSpec>())
    for (const spec of specs) {
      const twin = seen.get(spec.name)
      if (twin !== undefined && twin.benchmark !== spec.benchmark) throw duplicateName(spec, twin)
      if (twin !== undefined && !isDeepStrictEqual(twin.adapter, spec.adapter))
        throw otherSettings(suite, spec, twin)
      if (twin !== undefined) continue
      seen.set(spec.name, spec)
      const target = targetOf(spec, session.registry, session.bertScore)
      targets.push({ suite, target: await withWeights(target, session.locateModel) })
    }
  }
  // A suite of which nothing is left is a mistake, and no smaller suite.
  if (targets.length === 0 && unknown.length > 0)
    throw new ProblemError(unknown.flatMap(({ error }) => error.problems))
  for (const { error, entry, tell } of unknown) tell(error, entry)
  for (const { target } of targets) await session.followAccess?.(target.spec)
  return targets
}

type Tell = NonNullable<ResolveOptions['onUnknown']>

interface Unknown {
  readonly error: ProblemError
  readonly entry: Parameters<Tell>[1]
  readonly tell: Tell
}

/** They are told of once it is known that others are left: else they are the error. */
const collecting = (options: ResolveOptions, unknown: Unknown[]): ResolveOptions => {
  const { onUnknown } = options
  if (onUnknown === undefined) return options
  return {
    ...options,
    onUnknown: (error, entry) => void unknown.push({ error, entry, tell: onUnknown }),
  }
}

/** A local model is known by its files. */
const withWeights = async (target: Target, locate: LocateModel | undefined): Promise<Target> =>
  locate === undefined
    ? target
    : {
        ...target,
        deployment: await locate(target.deployment),
        judges: await Promise.all(
          target.judges.map(async ({ judge, deployment }) => ({
            judge,
            deployment: await locate(deployment),
          })),
        ),
      }

/** Both would write to one folder, and their numbers would be taken for one benchmark's. */
const duplicateName = (spec: RunSpec, twin: RunSpec): ProblemError =>
  new ProblemError({
    code: 'targets/duplicate-name',
    message: `two different benchmarks give the run ${spec.name}: ${filesOf(twin)} and ${filesOf(spec)}`,
    remedy: 'Give one of them another name in its YAML file.',
  })

/** `increase_max_tokens` and its like leave HELM's name alone: HELM keeps whichever run came last. */
const otherSettings = (suite: string, spec: RunSpec, twin: RunSpec): ProblemError => {
  const before = new Map(Object.entries(twin.adapter))
  const values = Object.entries(spec.adapter)
    .filter(([field, value]) => !isDeepStrictEqual(value, before.get(field)))
    .map(
      ([field, value]) =>
        `${inWords(field)} ${JSON.stringify(before.get(field))} and ${JSON.stringify(value)}`,
    )
  const { model, modelDeployment } = spec.adapter
  const named =
    modelDeployment === twin.adapter.modelDeployment
      ? ''
      : `, or name it in the entry: model=${model},model_deployment=${modelDeployment}`
  return new ProblemError({
    code: 'targets/duplicate-name',
    message: `two entries of the suite ${suite} give the run ${spec.name}, with different settings: ${values.join(', ')}`,
    remedy: `Both would be written to one folder. Leave one out, or put it into a suite of its own${named}.`,
  })
}

/** A field as run entries and HELM's files name it. */
const inWords = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const filesOf = ({ benchmark }: RunSpec): string => benchmark.files[0] ?? benchmark.name

/** A benchmark that looks at its files once an invocation, however many models it is run on. */
const findOnce = async (
  name: string,
  args: Parameters<typeof findBenchmark>[1],
  { benchmarks }: Pick<Session, 'benchmarks'>,
): ReturnType<typeof findBenchmark> => {
  const benchmark = await findBenchmark(name, args, benchmarks)
  return { ...benchmark, identity: once(() => benchmark.identity()) }
}

/** Problems that know no place of their own get the entry's. */
const withPlace = async <T>(promise: Promise<T>, where: Place): Promise<T> => {
  try {
    return await promise
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    throw new ProblemError(
      error.problems.map((problem) =>
        problem.where?.file === undefined ? { ...problem, where: { ...where, ...problem.where } } : problem,
      ),
      { exitCode: error.exitCode, cause: error },
    )
  }
}

/** Code of the workspace that nothing names, or that can't be named: metrics, annotators, clients. */
export const idleCodeOf = ({ workspace: { root }, registry }: Session): readonly Problem[] => {
  const classes = registry.deployments.map(({ client }) => client.className)
  const names = classes.flatMap((name) => clientName(name) ?? [])
  return [
    ...idleCode(root, METRIC_CATALOG),
    ...unnamedClients(root, classes).map((file) =>
      unusedCode(root, file, "a deployment's class_name", names),
    ),
  ]
}
