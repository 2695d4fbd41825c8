/**
 * V8's flags for workers and for Nx. A process enters most functions a few times: left alone it spends a tenth of its
 * CPU time on machine code that is hardly used before it is over (as `tools/cli/keep-compiled.ts` says of a run), and
 * looks through its youngest objects four times as often. Newer versions have no such budget. Threads of V8's own only
 * take processors from the other workers.
 */
export const V8_FLAGS: readonly string[] = [
  '--single-threaded',
  '--max-semi-space-size=64',
  ...(process.versions.v8.startsWith('11.') ? ['--interrupt-budget=675840'] : []),
]
