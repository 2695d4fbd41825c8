import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/rig/longest-first.ts'

/**
 * V8's flags for workers. A worker lives for minutes and enters most functions a few times: left alone it spends a tenth
 * of its CPU time on machine code that is hardly used before the file is over (as `tools/cli/keep-compiled.ts` says of a
 * run), and looks through its youngest objects four times as often. Newer versions have no such budget.
 */
const V8_FLAGS = [
  '--max-semi-space-size=64',
  ...(process.versions.v8.startsWith('11.') ? ['--interrupt-budget=675840'] : []),
]

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/rig/build-dist.ts', 'test/rig/memory-folder.ts', 'test/rig/trust-certificate.ts'],
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/rig/each-file.ts'],
    // The program and its sources are loaded once a worker, not once a file.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    execArgv: V8_FLAGS,
    // Tests wait for processes, disks and timers about a third of their time: one worker more than cores.
    maxWorkers: availableParallelism() + 1,
    // The bundle is loaded as node loads it.
    server: { deps: { external: [/\/dist\//] } },
  },
})
