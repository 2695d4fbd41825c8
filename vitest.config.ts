import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/rig/longest-first.ts'
import { V8_FLAGS } from './test/rig/v8-flags.ts'

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
    execArgv: [...V8_FLAGS],
    // Tests wait for processes, disks and timers about a third of their time: one worker more than cores.
    maxWorkers: availableParallelism() + 1,
    // The bundle is loaded as node loads it; the clone itself may lie below another `dist`.
    server: { deps: { external: [new RegExp(`${import.meta.dirname.replaceAll(/\W/g, '.')}/dist/`)] } },
  },
})
