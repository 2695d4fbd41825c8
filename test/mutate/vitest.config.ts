import { defineConfig, type Plugin } from 'vitest/config'

// As the tests' own, without what builds and starts programs: a mutant is loaded from its source.
/** Stryker asks for threads, which have no folder of their own; tests that run the program need one. */
const inProcesses: Plugin = {
  name: 'in-processes',
  configureVitest: ({ vitest, project }) => {
    vitest.config.pool = 'forks'
    project.config.pool = 'forks'
  },
}

export default defineConfig({
  plugins: [inProcesses],
  test: {
    include: (process.env['MUTATE_TESTS'] ?? 'test/targets')
      .split(',')
      .flatMap((path) => [path.endsWith('.ts') ? `test/${path}` : `test/${path}/**/*.test.ts`]),
    setupFiles: ['test/rig/each-file.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
