import { plural } from '../../../cache/words/number-text.ts'
import { defined } from '../../../cache/values/defined.ts'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sizeText } from '../../../benchmarks/declaration/about.ts'
import { temporaryFolder } from '../../../cache/files/write.ts'
import { describeBenchmark, type BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import { EXIT } from '../../../cache/problems/problem.ts'
import { skippedText } from '../../../targets/record/instance-ref.ts'
import { checkBenchmark, type CheckedBenchmark, type Trial } from '../../benchmark/check-benchmark.ts'
import type { CheckedInstances } from '../../benchmark/count-instances.ts'
import { causesText } from '../../compare/coverage-text.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { formatEstimate } from '../../spend/format-estimate.ts'
import { boolFlag, countFlag, listFlag, missingArgument } from '../flags.ts'
import type { Action } from '../verb.ts'
import { withSession } from '../with-session.ts'

const PRICED = 'openai/gpt-4o-2024-05-13'

/** `medmake benchmark check`: asks no server, and leaves nothing behind but data that it fetched. */
export const checkAction: Action = async (invocation) => {
  const { args, flags, cwd, env, print, warn } = invocation
  const [entry] = args
  if (entry === undefined || args.length > 1)
    throw missingArgument(
      'one benchmark is checked at a time',
      'Name it, with arguments if it takes any: medmake benchmark check letters:ward=surgery.',
    )
  const workspace = await findWorkspace(cwd)
  const folder = temporaryFolder('check')
  try {
    // What is not public is sealed even here, with a key that nobody keeps.
    const throwaway = { ...env, MEDMAKE_VAULT_KEY: randomBytes(32).toString('hex') }
    const checked = await withSession(
      { ...invocation, args: [], env: throwaway },
      { workspace, storePath: join(folder, 'store') },
      (session) =>
        checkBenchmark(
          entry,
          {
            models: listFlag(flags, 'modelsToRun') ?? [PRICED],
            maxEvalInstances: countFlag(flags, 'maxEvalInstances') ?? workspace.config.max_eval_instances,
          },
          session,
        ),
    )
    const isShown = checked.access === 'public' || boolFlag(flags, 'includeRestricted')
    const declared = await declaredSize(entry, workspace.root)
    const told = defined({ ...checked, ...(isShown ? {} : { prompts: null }), declaredSize: declared })
    print(boolFlag(flags, 'json') ? JSON.stringify(told) : checkedText(checked, isShown))
    if (declared !== undefined && !agrees(declared, checked.instances.evaluated))
      warn(`Its declaration says ${sizeText(declared)}: mend \`size\`, or fetch the data again.`)
    if (checked.instances.unsteady === true) warn(UNSTEADY)
    const { evaluated } = checked.instances
    return checked.trial.complete && evaluated > 0 && checked.instances.unsteady !== true
      ? EXIT.done
      : EXIT.incomplete
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Size = NonNullable<BenchmarkSummary['size']>

/** What the declaration says of the whole; arguments choose parts of which it says nothing. */
const declaredSize = async (entry: string, workspace: string): Promise<Size | undefined> => {
  const size = (await describeBenchmark(entry, { workspace }))?.size
  return size?.of === undefined ? size : undefined
}

const agrees = ({ instances, or_more: orMore }: Size, evaluated: number): boolean =>
  orMore === true ? evaluated >= instances : evaluated === instances

const UNSTEADY =
  'Its scenario gives other instances each time it is called: runs keep the first, and nobody can make them again. Draw by a fixed seed, and leave clocks and networks out of it.'

const checkedText = (checked: CheckedBenchmark, isShown: boolean): string =>
  [
    `${checked.benchmark}, ${checked.access}${checked.accessReason === undefined ? '' : `, since ${checked.accessReason}`}`,
    instancesText(checked.instances),
    ...promptsText(checked, isShown),
    formatEstimate(checked.estimate),
    trialText(checked.trial),
  ].join('\n\n')

const instancesText = ({ evaluated, train, unanswered, repeated, skipped }: CheckedInstances): string =>
  [
    `${count(evaluated, 'instance is', 'instances are')} evaluated, ${plural(train, 'is', 'are')} for examples`,
    ...(unanswered > 0 && unanswered < evaluated
      ? [`${count(unanswered, 'has', 'have')} no right reference`]
      : []),
    ...(repeated > 0 ? [`${count(repeated, 'asks', 'ask')} the same as one before it`] : []),
    ...(skipped === undefined ? [] : [skippedText(skipped)]),
  ].join('\n')

const count = (value: number, one: string, many: string): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`

const promptsText = ({ prompts }: CheckedBenchmark, isShown: boolean): readonly string[] =>
  isShown
    ? prompts.map((prompt, index) => `Prompt ${index + 1}:\n${prompt.replaceAll(/^/gm, '  | ')}`)
    : ['Its prompts are not public: --include-restricted shows three of them here.']

const trialText = ({ model, judge, instances, measured, failures, causes, scores }: Trial): string =>
  [
    `Tried on ${count(instances, 'instance', 'instances')} with ${model}${judge === undefined ? '' : `, read by ${judge}`}: ${measured} measured`,
    ...failures.map(({ instance, stage, code, detail }) => `  ${instance}: ${stage}: ${detail} [${code}]`),
    ...scores.map(
      ({ name, mean }) => `  ${name}: ${mean === undefined ? 'no value' : Number(mean.toFixed(4))}`,
    ),
    ...(Object.keys(causes).length === 0 ? [] : [`  ${causesText(causes)}`]),
    'These numbers say that the parts fit together, and nothing of how hard it is.',
  ].join('\n')
