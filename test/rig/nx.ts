import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { packageRoot } from '../../cache/package-root.ts'
import { bareEnvironment, type CliOptions, type CliResult } from './medmake.ts'
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

export const startNx = (args: readonly string[], { cwd, env = {} }: CliOptions) =>
  execa(process.execPath, [join(cwd, 'node_modules/nx/dist/bin/nx.js'), ...args], {
    cwd,
    env: { ...bareEnvironment(), ...env },
    extendEnv: false,
    reject: false,
  })

/** Runs Nx to its end; failing is a result, not an error. */
export const nx = async (args: readonly string[], options: CliOptions): Promise<CliResult> => {
  const { exitCode, stdout, stderr } = await startNx(args, options)
  return { code: exitCode ?? 128, stdout, stderr }
}
