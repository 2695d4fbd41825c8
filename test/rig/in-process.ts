import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../cache/package-root.ts'

interface Cli {
  readonly main: (argv: readonly string[], alias?: string) => Promise<number>
}

/** What the program did, as a process of its own would have shown it. */
export interface InProcess {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

// Mutants are made of the sources. Asked here: the environment of a call has only what the call is given.
const PROGRAM = process.env['MUTATE_AREA'] === undefined ? 'dist/cli.js' : 'tools/cli/main.ts'

let running = false

/** Only one at a time can have this process's folder, environment and output. */
export const isFree = (): boolean => !running

/**
 * Runs the bundled program's `main` in this process: same bytes as a process of its own, without its start.
 * For the length of the call this process has the given folder and environment, and nothing that it prints gets out.
 */
export const runInProcess = async (
  args: readonly string[],
  alias: string | undefined,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<InProcess> => {
  running = true
  const folder = process.cwd()
  const environment = { ...process.env }
  const stdout = capture(process.stdout)
  const stderr = capture(process.stderr)
  // Code of a workspace may use none of these.
  const held = ['exit', 'umask', 'log', 'info', 'debug'].map((name) => {
    const owner = name in console ? console : process
    return [owner, name, Reflect.get(owner, name) as unknown] as const
  })
  try {
    setEnvironment(env)
    process.chdir(cwd)
    const code = await run(args, alias)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.chdir(folder)
    setEnvironment(environment)
    for (const [owner, name, own] of held) Reflect.set(owner, name, own)
    stdout.restore()
    stderr.restore()
    running = false
  }
}

/** An error that is no user's mistake ends a process with its stack and code 1. */
const run = async (args: readonly string[], alias: string | undefined): Promise<number> => {
  try {
    const { main } = (await import(
      /* @vite-ignore */ pathToFileURL(join(packageRoot(), PROGRAM)).href
    )) as Cli
    return await main(args, alias)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    return 1
  }
}

/** In place, so that what asks the operating system (a home folder, a child process) sees it, too. */
const setEnvironment = (env: Readonly<Record<string, string | undefined>>): void => {
  for (const name of Object.keys(process.env)) if (env[name] === undefined) delete process.env[name]
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value
}

const capture = (
  stream: NodeJS.WriteStream,
): { readonly text: () => string; readonly restore: () => void } => {
  const chunks: Buffer[] = []
  const write = stream.write.bind(stream)
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    chunks.push(Buffer.from(chunk))
    for (const value of rest) if (typeof value === 'function') process.nextTick(value)
    return true
  }
  return {
    // As execa gives it: without the last line's end.
    text: () =>
      Buffer.concat(chunks)
        .toString('utf8')
        .replace(/\r?\n$/, ''),
    restore: () => {
      stream.write = write
    },
  }
}
