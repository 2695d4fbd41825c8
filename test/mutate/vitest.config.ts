import { defineConfig } from 'vitest/config'

// As the tests' own, without what builds and starts programs: a mutant is loaded from its source.
export default defineConfig({
  test: {
    include: (process.env['MUTATE_TESTS'] ?? 'test/targets')
      .split(',')
      .flatMap((path) => [path.endsWith('.ts') ? `test/${path}` : `test/${path}/**/*.test.ts`]),
    setupFiles: ['test/rig/each-file.ts'],
    testTimeout: 30_000,
  },
})
