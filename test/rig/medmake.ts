import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { packageRoot } from '../../cache/package-root.ts'
import { isFree, runInProcess } from './in-process.ts'

export interface CliOptions {
  readonly cwd: string
  /** Added to a bare environment: nothing of the developer's own reaches the program. */
  readonly env?: Readonly<Record<string, string>>
  /** The folder is of this run alone: code in it is imported for the first time, and may be here. */
  readonly isFresh?: boolean
}

export interface CliResult {
  /** Exit code; 128 + signal number for a killed process. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

type Bin = 'medmake' | 'helm-run' | 'helm-summarize' | 'helm-server'

/** Starts a bin of dist, `medmake` unless named; for tests that kill it or watch it run. */
export const startMedmake = (
  args: readonly string[],
  { cwd, env = {} }: CliOptions,
  bin: Bin = 'medmake',
) => {
  requireBuild()
  return execa(process.execPath, [join(packageRoot(), 'dist', `${bin}.js`), ...args], {
    cwd,
    env: { ...bareEnvironment(), ...env },
    extendEnv: false,
    reject: false,
    // However long a busy machine takes to end what was told to.
    forceKillAfterDelay: false,
  })
}

/** Runs a bin of dist to its end in a process of its own; for tests of several at once, and of what a start reads. */
export const spawnMedmake = async (
  args: readonly string[],
  options: CliOptions,
  bin?: Bin,
): Promise<CliResult> => {
  const { exitCode, signal, stdout, stderr } = await startMedmake(args, options, bin)
  return { code: exitCode ?? SIGNALS[signal ?? ''] ?? 128, stdout, stderr }
}

/**
 * Runs a bin of dist to its end; failing is a result, not an error. Within this process where that makes no
 * difference: beside another one, with Node's own settings or with a workspace's code, which a process loads only
 * once, it gets a process of its own.
 */
export const medmake = async (
  args: readonly string[],
  options: CliOptions,
  bin: Bin = 'medmake',
): Promise<CliResult> => {
  requireBuild()
  const { cwd, env = {}, isFresh = false } = options
  // But for what this process was started with, too.
  const isOfNode = Object.entries(env).some(
    ([name, value]) => name.startsWith('NODE_') && process.env[name] !== value,
  )
  if (!isFree() || isOfNode || (!isFresh && hasCode(cwd))) return spawnMedmake(args, options, bin)
  return runInProcess(args, VERBS[bin], { cwd, env: { ...bareEnvironment(), ...env } })
}

const hasCode = (root: string): boolean =>
  ['benchmarks', 'models', 'targets'].some((room) => {
    const folder = join(root, room)
    if (!existsSync(folder)) return false
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return files.some((file) => /\.[cm]?[jt]s$/.test(file))
  })

const requireBuild = (): void => {
  const failure = process.env['MEDMAKE_BUILD_FAILED']
  if (failure !== undefined) throw new Error(`dist could not be built:\n${failure}`)
}

const VERBS: Readonly<Record<Bin, string | undefined>> = {
  medmake: undefined,
  'helm-run': 'run',
  'helm-summarize': 'summarize',
  'helm-server': 'serve',
}

const SIGNALS: Readonly<Record<string, number>> = { SIGINT: 130, SIGKILL: 137, SIGTERM: 143 }

/** Enough to find programs; no keys, no MEDMAKE_ settings, no colours. */
export const bareEnvironment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  NO_COLOR: '1',
  // Else tests would share the limits of the developer's own runs.
  MEDMAKE_LIMITS: join(tmpdir(), 'medmake-test-limits'),
  // Else the program would make a key of the developer's own.
  MEDMAKE_VAULT_KEY: 'c3'.repeat(32),
})
