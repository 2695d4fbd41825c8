import type { Action } from '../verb.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { catalogEntries, readEntry } from '../../../benchmarks/lookup/find.ts'
import { heldAccess } from '../../../benchmarks/lookup/held-access.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { benchmarksSeen } from '../../session/declarations.ts'
import { factText, statedFacts } from '../../../benchmarks/declaration/about.ts'
import { describeBenchmark, type BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { readableBenchmarks } from '../common/readable-benchmarks.ts'
import { boolFlag } from '../flags.ts'

/** `medmake benchmark show`: what declarations say of benchmarks and their data, and what of it somebody checked. */
export const showAction: Action = async (invocation) => {
  const { args, flags, cwd, env, print } = invocation
  const workspace = await findWorkspace(cwd)
  const { root, config } = workspace
  const declared =
    args.length === 0
      ? await readableBenchmarks({ workspace: root }, invocation)
      : await Promise.all(args.map((name) => find(name, { workspace: root })))
  const context = { ...benchmarksSeen({ workspace, cwd, env }, config.profile), readOnly: true }
  const shown = await Promise.all(
    declared.map(async (each) => ({ ...each, ...(await heldAccess(await readEntry(each), context)) })),
  )
  print(
    boolFlag(flags, 'json')
      ? JSON.stringify(shown.map((each) => ({ ...toldOf(each), facts: statedFacts(each) })))
      : shown.map(linesOf).join('\n\n'),
  )
  return EXIT.done
}

const find = async (name: string, workspace: { readonly workspace: string }): Promise<BenchmarkSummary> => {
  const found = await describeBenchmark(name, workspace)
  if (found !== undefined) return found
  const names = (await catalogEntries(workspace)).map((each) => each.name)
  throw new ProblemError({
    code: 'benchmarks/unknown',
    message: `there is no benchmark ${name}`,
    remedy: `${suggestion(name, names)}\`medmake benchmark show\` lists all.`,
  })
}

const TOLD = [
  'name',
  'displayName',
  'description',
  'access',
  'accessReason',
  'category',
  'subcategory',
  'homepage',
  'citation',
  'needs',
] as const

type Shown = BenchmarkSummary & Pick<Benchmark, 'accessReason'>

const toldOf = (benchmark: Shown): Record<string, string | undefined> =>
  Object.fromEntries(TOLD.map((field) => [field, benchmark[field]]))

const linesOf = (benchmark: Shown): string => {
  const {
    name,
    displayName,
    access,
    accessReason: reason,
    category,
    subcategory,
    homepage,
    needs,
  } = benchmark
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['taxonomy', category && [category, subcategory].filter(Boolean).join(': ')],
    ['home', homepage],
    ...statedFacts(benchmark).map((stated) => [stated.fact, factText(stated)] as const),
    ['needs', needs],
  ]
  return [
    `${name}: ${displayName}, ${access}${reason === undefined ? '' : `, since ${reason}`}`,
    ...rows.flatMap(([label, value]) => (value === undefined ? [] : [`  ${label.padEnd(8)}  ${value}`])),
  ].join('\n')
}
