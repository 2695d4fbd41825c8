import { copyFile, cp, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { makeFolder } from '../../../cache/files/folders.ts'
import { leftStaged, stagedName, sweepStaged, temporaryFolder } from '../../../cache/files/write.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { findWorkspace, type Workspace } from '../../session/workspace/workspace.ts'
import { CONTENT_POLICY } from '../../site/emit/document.tsx'
import type { HelmScope } from '../../site/content/helm-content.ts'
import { untilStopped } from '../../site/serve/listen.ts'
import { createOneTimeToken } from '../../site/serve/one-time-token.ts'
import { createOpenRuns, type OpenPages } from '../../site/serve/open-runs.ts'
import { isLoopback } from '../../site/serve/respond.ts'
import { createSiteServer, DATA_POLICY, type Mount } from '../../site/serve/server.ts'
import { badFlag, nameFlag, refuseBeside, textFlag, boolFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Action, FlagValues, Invocation } from '../verb.ts'
import { LOOPBACK, listenOn } from '../common/listen-on.ts'
import { findSite, runAccessOf, type ShownSite } from './shown-site.ts'
import { watchedBoard, type WatchedBoard } from './watched-board.ts'
import { outputPathOf } from '../common/session-flags.ts'

/** `medmake serve`, HELM's helm-server: the site over HTTP until Ctrl-C, or written to a folder. */
export const serveAction: Action = async (invocation) => {
  const { flags, cwd, print } = invocation
  const workspace = await findWorkspace(cwd)
  refuseBeside(flags, 'site', ['suite', 'release'])
  refuseBeside(flags, 'exportPath', ['port', 'host', 'cacheOutputPath'])
  const scope = scopeOf(flags)
  requireOwnEyes(flags)
  const temporary = temporaryFolder('site')
  try {
    const watched = await watchedBoard(invocation, workspace, temporary)
    const output = watched?.output ?? outputFolder(flags, cwd, workspace)
    const target = textFlag(flags, 'exportPath')
    const asked = { output, scope, temporary, withoutInstances: target === undefined }
    const from = watched === undefined ? flags : { ...flags, store: watched.store }
    const find = (): Promise<ShownSite> => findSite(asked, workspace, { ...invocation, flags: from })
    const shown = await find()
    const access = await runAccessOf(workspace, cwd)
    const runs = createOpenRuns(output, access, temporary)
    if (target !== undefined) {
      await exportSite(shown, { output, target: resolve(cwd, target), runs })
      print(`wrote ${join(target, 'index.html')}`)
      return EXIT.done
    }
    const current = { site: shown }
    const watch = watchStamp(shown.stamp, await shown.stamp(), {
      onNew: async () => {
        current.site = await find()
        print(`There are newer results${watched === undefined ? ': reload the page' : ''}.`)
      },
      // What is shown stays; it is only not the newest.
      onError: (error) => invocation.warn(textOf(error)),
    })
    const following = watched?.follow()
    try {
      await serveUntilStopped(mountsOf(current, output, { runs, watched }, invocation), invocation)
    } finally {
      await following?.close()
      await watch.close()
    }
    return EXIT.done
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Texts of gated and private benchmarks are for who started the server: neither for the network nor for a copy. */
const requireOwnEyes = (flags: FlagValues): void => {
  if (!includesRestricted(flags)) return
  const host = textFlag(flags, 'host') ?? LOOPBACK
  const other = textFlag(flags, 'exportPath') !== undefined ? '--export-path' : '--host'
  if (other === '--host' && isLoopback(host)) return
  throw badFlag(
    '--include-restricted',
    `--include-restricted shows texts of gated and private benchmarks, on this machine only; ${other} would give them away`,
    `Leave out ${other}, or --include-restricted.`,
  )
}

const includesRestricted = (flags: FlagValues): boolean => boolFlag(flags, 'includeRestricted')

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
  const suite = nameFlag(flags, 'suite')
  const release = nameFlag(flags, 'release')
  if (suite !== undefined && release !== undefined)
    throw badFlag('--release', '--suite and --release exclude each other', 'Give one of them.')
  if (release !== undefined) return { kind: 'release', name: release }
  return suite === undefined ? undefined : { kind: 'suite', name: suite }
}

const mountsOf = (
  current: { readonly site: ShownSite },
  output: string,
  { runs, watched }: { readonly runs: OpenPages; readonly watched: WatchedBoard | undefined },
  { flags, cwd, warn }: Invocation,
): readonly Mount[] => [
  {
    prefix: '/benchmark_output/',
    folder: output,
    only: ['runs', 'releases'],
    policy: DATA_POLICY,
    ...(includesRestricted(flags) ? {} : { instead: (path: string) => runs.fileFor(path) }),
  },
  {
    prefix: '/cache/output/',
    folder: resolve(cwd, textFlag(flags, 'cacheOutputPath') ?? 'prod_env/cache/output'),
    policy: DATA_POLICY,
    // Nothing tells which benchmark made these files.
    ...(includesRestricted(flags) ? {} : { instead: async () => undefined }),
  },
  {
    prefix: '/',
    get folder() {
      return current.site.folder
    },
    policy: CONTENT_POLICY,
    ...(watched && { refresh: watched.seconds }),
    prepare: async (path) => {
      await current.site.prepare?.(path).catch((error: unknown) => {
        if (!(error instanceof ProblemError)) throw error
        warn(textOf(error))
      })
    },
  },
]

const textOf = (error: unknown): string =>
  error instanceof ProblemError ? formatProblems(error.problems, process.stderr.isTTY) : String(error)

const DEFAULT_PORT = 8000

const serveUntilStopped = async (mounts: readonly Mount[], { flags, print }: Invocation): Promise<void> => {
  const host = textFlag(flags, 'host') ?? LOOPBACK
  const token = includesRestricted(flags) ? createOneTimeToken() : undefined
  const server = createSiteServer(mounts, host, token)
  print(`${await listenOn(server, flags, { host, port: DEFAULT_PORT })}/${token?.query ?? ''}`)
  print('Ctrl-C ends it.')
  await untilStopped(server)
}

/** HELM's layout: the site, and beside it the files of the runs that it shows, as far as their benchmarks are public. */
const exportSite = async (
  { folder, scopes }: ShownSite,
  { output, target, runs }: { readonly output: string; readonly target: string; readonly runs: OpenPages },
): Promise<void> => {
  await clearTarget(target, [...(await readdir(folder)), 'benchmark_output'])
  makeFolder(target)
  // While it is there, the rest is no whole site.
  const unfinished = stagedName(join(target, 'export'))
  await writeFile(unfinished, '')
  await cp(folder, target, { recursive: true })
  for (const { kind, name } of scopes) {
    const path = join(kind === 'suite' ? 'runs' : 'releases', name)
    for (const entry of await readdir(join(output, path), { recursive: true, withFileTypes: true })) {
      const file = relative(output, join(entry.parentPath, entry.name))
      const open = entry.isFile() ? await runs.fileFor(file) : undefined
      if (open === undefined) continue
      const copy = join(target, 'benchmark_output', file)
      makeFolder(dirname(copy))
      await copyFile(open, copy)
    }
  }
  await rm(unfinished)
}

/** What an export that was killed left there goes; whatever else is there is its user's. */
const clearTarget = async (target: string, ours: readonly string[]): Promise<void> => {
  const unfinished = leftStaged(target)
  const present = await readdir(target).catch(() => [] as string[])
  const mayGo = unfinished.length > 0 ? [...ours, ...unfinished] : []
  if (!present.every((name) => mayGo.includes(name)))
    throw new ProblemError({
      code: 'cli/not-empty',
      message: `${target} is not empty`,
      where: { file: target, field: '--export-path' },
      remedy: 'Name a new folder.',
    })
  for (const name of ours) await rm(join(target, name), { recursive: true, force: true })
  sweepStaged(target)
}

const INTERVAL = 1000

/**
 * Looks once a second whether `stamp` gives something else than `known`, and calls `onNew` once it has stayed so for
 * another look: files may still be being written. What `onNew` throws goes to `onError`, once for each news.
 */
const watchStamp = (
  stamp: () => Promise<string>,
  known: string,
  { onNew, onError }: { readonly onNew: () => Promise<void>; readonly onError: (error: unknown) => void },
): { readonly close: () => Promise<void> } => {
  let [shown, last] = [known, known]
  const look = async (): Promise<void> => {
    const now = await stamp()
    if (now !== '' && now === last && now !== shown) {
      shown = now
      await onNew()
    }
    last = now
  }
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch(onError)
  }, INTERVAL)
  return {
    close: async () => {
      clearInterval(timer)
      await looking
    },
  }
}
