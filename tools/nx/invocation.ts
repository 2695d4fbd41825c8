import type { Invocation } from '../cli/verb.ts'

/** A call of the CLI's own parts for a workspace's folder, as Nx makes it: without flags, whose place medmake.yaml takes. */
export const nxInvocation = (
  root: string,
  args: readonly string[],
  told: Partial<Pick<Invocation, 'print' | 'warn'>> = {},
): Invocation => ({
  args,
  flags: {},
  cwd: root,
  env: process.env,
  print: () => undefined,
  warn: () => undefined,
  leftOut: [],
  strictHelm: false,
  ...told,
})
