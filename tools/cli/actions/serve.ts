import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { listBenchmarks, type BenchmarkSummary } from '../../../benchmarks/list.ts'
import { readTaxonomy } from '../../../benchmarks/taxonomy.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { EXIT, ProblemError } from '../../../cache/problem.ts'
import { loadRegistry } from '../../../models/registry/load.ts'
import { findWorkspace, type Workspace } from '../../session/workspace.ts'
import { readAssets } from '../../site/assets.ts'
import { CONTENT_POLICY } from '../../site/document.tsx'
import { emitSite } from '../../site/emit.ts'
import { newestScope } from '../../site/find-scope.ts'
import { helmContent, type HelmScope } from '../../site/helm-content.ts'
import { instancesOnRequest } from '../../site/instances-on-request.ts'
import { listen } from '../../site/listen.ts'
import { createSiteServer, DATA_POLICY, type Mount } from '../../site/server.ts'
import { siteInputs } from '../../site/site-inputs.ts'
import { countFlag, textFlag } from '../flags.ts'
import { formatProblems } from '../print-problems.ts'
import type { Action, FlagValues, Invocation } from '../verb.ts'
import { outputPathOf } from './session-flags.ts'

/** `medmake serve`, HELM's helm-server: the site over HTTP until Ctrl-C, or written to a folder. */
export const serveAction: Action = async (invocation) => {
  const { flags, cwd, print } = invocation
  const workspace = await findWorkspace(cwd)
  const output = outputFolder(flags, cwd, workspace)
  const scope = scopeOf(flags)
  const temporary = await mkdtemp(join(tmpdir(), 'medmake-site-'))
  try {
    const target = textFlag(flags, 'exportPath')
    const asked = { output, scope, temporary, withoutInstances: target === undefined }
    const shown = await findSite(asked, workspace, invocation)
    if (target !== undefined) {
      await exportSite(shown, { output, target: resolve(cwd, target) })
      print(`wrote ${join(target, 'index.html')}`)
      return EXIT.done
    }
    await serveUntilStopped(mountsOf(shown, output, invocation), invocation)
    return EXIT.done
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

const outputFolder = (flags: FlagValues, cwd: string, workspace: Workspace): string => {
  const given = textFlag(flags, 'outputPath')
  if (given !== undefined && /^https?:\/\//.test(given))
    throw new ProblemError({
      code: 'cli/unsupported-flag',
      message: `--output-path ${given}: results can't be read over the network`,
      where: { field: '--output-path' },
      remedy: 'Copy the results here and name their folder.',
    })
  return outputPathOf(flags, cwd, workspace)
}

const scopeOf = (flags: FlagValues): HelmScope | undefined => {
  const suite = textFlag(flags, 'suite')
  const release = textFlag(flags, 'release')
  if (suite !== undefined && release !== undefined)
    throw new ProblemError({
      code: 'cli/bad-flag',
      message: '--suite and --release exclude each other',
      where: { field: '--release' },
      remedy: 'Give one of them.',
    })
  if (release !== undefined) return { kind: 'release', name: release }
  return suite === undefined ? undefined : { kind: 'suite', name: suite }
}

interface Shown {
  readonly folder: string
  /** What it was made of, below the output path. */
  readonly scopes: readonly HelmScope[]
  /** Writes files that were left for when they are asked for. */
  readonly prepare?: (path: string) => Promise<void>
}

/** A site that report wrote, if it shows what was asked for; else one made from HELM's files. */
const findSite = async (
  asked: {
    readonly output: string
    readonly scope: HelmScope | undefined
    readonly temporary: string
    readonly withoutInstances: boolean
  },
  workspace: Workspace,
  { flags, cwd, warn }: Invocation,
): Promise<Shown> => {
  const { output, scope, temporary, withoutInstances } = asked
  const given = textFlag(flags, 'site')
  const site = given === undefined ? join(output, 'site') : resolve(cwd, given)
  const suites = await suitesOfSite(site)
  if (given !== undefined && suites === undefined) throw noSite(site)
  const isIn = scope === undefined || (scope.kind === 'suite' && suites?.includes(scope.name) === true)
  if (suites !== undefined && (given !== undefined || isIn))
    return { folder: site, scopes: suites.map((name) => ({ kind: 'suite', name })) }
  const wanted = scope ?? (await newestScope(output))
  if (wanted === undefined) throw noSite(site)
  const context = { workspace: workspace.root }
  const benchmarks = await listBenchmarks(context)
  const benchmarkOf = (group: string): BenchmarkSummary | undefined =>
    benchmarks.find(({ name, groups }) => name === group || groups.includes(group))
  const localPath = textFlag(flags, 'localPath')
  const { suite, problems } = await helmContent(wanted, {
    outputPath: output,
    registry: await loadRegistry({
      catalog: join(packageRoot(), 'models/catalog'),
      workspace: workspace.root,
      localPath:
        localPath === undefined ? workspace.path(workspace.config.local_path) : resolve(cwd, localPath),
    }),
    accessOf: (group) => benchmarkOf(group)?.access,
    placeOf: (group) => {
      const { category, subcategory } = benchmarkOf(group) ?? {}
      return {
        ...(category === undefined ? {} : { category }),
        ...(subcategory === undefined ? {} : { subcategory }),
      }
    },
    taxonomy: await readTaxonomy(context),
  })
  if (problems.length > 0) warn(formatProblems(problems, process.stderr.isTTY))
  const assets = await readAssets()
  const inputs = siteInputs([suite], assets)
  await emitSite(temporary, { suites: [suite], assets, inputs, withoutInstances })
  return { folder: temporary, scopes: [wanted], prepare: instancesOnRequest(temporary, [suite]) }
}

const Boards = z.array(z.object({ suite: z.string() }))

/** The suites of a site; undefined where there is none. */
const suitesOfSite = async (site: string): Promise<readonly string[] | undefined> => {
  const text = await readFile(join(site, 'board.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const parsed = Boards.safeParse(JSON.parse(text))
  return parsed.success ? parsed.data.map(({ suite }) => suite) : undefined
}

const noSite = (site: string): ProblemError =>
  new ProblemError({
    code: 'site/nothing-to-serve',
    message: 'there is nothing to serve',
    where: { file: site },
    remedy: 'Run `medmake report` first, or name HELM’s results with --suite and --output-path.',
  })

const mountsOf = (
  { folder, prepare = () => Promise.resolve() }: Shown,
  output: string,
  { flags, cwd, warn }: Invocation,
): readonly Mount[] => [
  {
    prefix: '/benchmark_output/',
    folder: output,
    only: ['runs', 'releases'],
    policy: DATA_POLICY,
  },
  {
    prefix: '/cache/output/',
    folder: resolve(cwd, textFlag(flags, 'cacheOutputPath') ?? 'prod_env/cache/output'),
    policy: DATA_POLICY,
  },
  {
    prefix: '/',
    folder,
    policy: CONTENT_POLICY,
    prepare: (path) =>
      prepare(path).catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error
        warn(formatProblems(error.problems, process.stderr.isTTY))
      }),
  },
]

const DEFAULT_PORT = 8000

const serveUntilStopped = async (mounts: readonly Mount[], { flags, print }: Invocation): Promise<void> => {
  const host = textFlag(flags, 'host') ?? '127.0.0.1'
  const port = countFlag(flags, 'port', 0)
  const server = createSiteServer(mounts, host)
  const bound = await listen(server, { host, port: port ?? DEFAULT_PORT, exact: port !== undefined })
  print(`http://${host.includes(':') ? `[${host}]` : host}:${bound}/`)
  print('Ctrl-C ends it.')
  await new Promise<void>((done) => {
    const stop = (): void => {
      server.close(() => done())
      server.closeAllConnections()
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
  })
}

/** HELM's layout: the site, and beside it the files of the runs that it shows. */
const exportSite = async (
  { folder, scopes }: Shown,
  { output, target }: { readonly output: string; readonly target: string },
): Promise<void> => {
  const present = await readdir(target).catch(() => [] as string[])
  if (present.length > 0)
    throw new ProblemError({
      code: 'cli/not-empty',
      message: `${target} is not empty`,
      where: { file: target, field: '--export-path' },
      remedy: 'Name a new folder.',
    })
  await mkdir(target, { recursive: true })
  await cp(folder, target, { recursive: true })
  for (const { kind, name } of scopes) {
    const path = join(kind === 'suite' ? 'runs' : 'releases', name)
    await cp(join(output, path), join(target, 'benchmark_output', path), { recursive: true })
  }
}
