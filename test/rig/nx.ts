import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { packageRoot } from '../../cache/package-root.ts'
import { bareEnvironment, type CliOptions } from './medmake.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { V8_FLAGS } from './v8-flags.ts'
import { createWorkspace, type Files } from './workspace.ts'

/** What `medmake init` leaves for Nx. */
const NX_FILES: Files = {
  'package.json': '{"name": "evals", "version": "1.0.0", "private": true}\n',
  'nx.json': JSON.stringify({
    analytics: false,
    cacheDirectory: 'cache/nx',
    neverConnectToCloud: true,
    plugins: ['medmake/nx'],
    tui: { enabled: false },
    useDaemonProcess: false,
  }),
  '.env': 'NX_DAEMON=false\nNX_ISOLATE_PLUGINS=false\nNX_NO_CLOUD=true\nNX_DEFAULT_OUTPUT_STYLE=summary\n',
  '.gitignore': 'node_modules/\n.nx/\n/cache/\n/benchmark_output/\n/private/\n',
}

/** A workspace in which medmake and Nx are installed. */
export const createNxWorkspace = (files: Files): string => {
  const root = createWorkspace({ ...NX_FILES, ...files })
  mkdirSync(join(root, 'node_modules'))
  for (const [name, folder] of [
    ['medmake', packageRoot()],
    ['nx', join(packageRoot(), 'node_modules/nx')],
  ] as const)
    symlinkSync(folder, join(root, 'node_modules', name))
  return root
}

export interface NxResult {
  readonly code: number
  /** stdout and stderr as they came. */
  readonly output: string
}

/** Starts Nx, for tests that kill it. */
export const startNx = (args: readonly string[], options: CliOptions) => spawnNx(args, options, '/dev/null')

/** Runs Nx to its end; failing is a result, not an error. */
export const nx = async (args: readonly string[], options: CliOptions): Promise<NxResult> => {
  const file = join(temporaryFolder(), 'output')
  const { exitCode } = await spawnNx(args, options, file)
  return { code: exitCode ?? 128, output: readFileSync(file, 'utf8') }
}

/** Nx exits without waiting for its pipes: what it says goes to a file, or its end is lost under load. */
const spawnNx = (args: readonly string[], { cwd, env = {} }: CliOptions, output: string) => {
  const bin = join(cwd, 'node_modules/nx/dist/bin/nx.js')
  const words = [process.execPath, ...V8_FLAGS, bin, ...args]
  return execa('sh', ['-c', 'exec "$@" > "$0" 2>&1', output, ...words], {
    cwd,
    env: { ...bareEnvironment(), ...env },
    extendEnv: false,
    reject: false,
  })
}
