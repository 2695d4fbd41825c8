import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { packageRoot } from '../../cache/package-root.ts'

export interface CliOptions {
  readonly cwd: string
  /** Added to a bare environment: nothing of the developer's own reaches the program. */
  readonly env?: Readonly<Record<string, string>>
}

export interface CliResult {
  /** Exit code; 128 + signal number for a killed process. */
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Starts a bin of dist, `medmake` unless named; for tests that kill it or watch it run. */
export const startMedmake = (
  args: readonly string[],
  { cwd, env = {} }: CliOptions,
  bin: 'medmake' | 'helm-run' | 'helm-summarize' | 'helm-server' = 'medmake',
) => {
  const failure = process.env['MEDMAKE_BUILD_FAILED']
  if (failure !== undefined) throw new Error(`dist could not be built:\n${failure}`)
  return execa(process.execPath, [join(packageRoot(), 'dist', `${bin}.js`), ...args], {
    cwd,
    env: { ...bareEnvironment(), ...env },
    extendEnv: false,
    reject: false,
  })
}

/** Runs a bin of dist to its end; failing is a result, not an error. */
export const medmake = async (
  args: readonly string[],
  options: CliOptions,
  bin?: Parameters<typeof startMedmake>[2],
): Promise<CliResult> => {
  const { exitCode, signal, stdout, stderr } = await startMedmake(args, options, bin)
  return { code: exitCode ?? SIGNALS[signal ?? ''] ?? 128, stdout, stderr }
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
