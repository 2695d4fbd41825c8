import { existsSync } from 'node:fs'

// Which code lies together in dist/. Left to itself a bundler makes a chunk of whatever the same entries share: 133 files
// to open for a run, and opening one costs more than reading it. So what always loads together is one chunk, the most
// urgent first: a group takes what its files import and no earlier group has.
const GROUPS = [
  // Before all else, and by itself.
  ['first', 'tools/cli/keep-compiled.ts'],
  // What calls `import()`, which a script from the code cache can't.
  ['import', 'cache/user-code/import-file.ts', 'targets/sql/load-sqlite.ts'],
  ['start', 'tools/cli/main.ts'],
  // A process a Parquet file starts most often, and needs least.
  ['file', 'cache/problems/format-error.ts', 'cache/files/read.ts'],
  // Threads start often and need little.
  ['thread', 'tools/helm/write/display-files.ts', 'targets/sql/engine.ts'],
  // What Nx asks each time it makes its graph.
  [
    'plan',
    'tools/nx/kept-token.ts',
    'tools/nx/pairs/workspace-pairs.ts',
    'tools/nx/pairs/pair-files.ts',
    'tools/nx/pairs/pair-name.ts',
    'tools/nx/pairs/pair-project.ts',
    'tools/nx/pairs/pair-work.ts',
  ],
  ['run', 'tools/cli/run/action.ts'],
  ['report', 'tools/cli/report/action.ts'],
]

// A file that was moved would leave its group empty, and every start would load what runs need: nothing else breaks.
for (const file of GROUPS.flatMap(([, ...files]) => files))
  if (!existsSync(file)) throw new Error(`tools/build/chunks.mjs names ${file}, which is not there`)

const isOneOf = (files) => (id) => files.some((file) => id.replaceAll('\\', '/').endsWith(`/${file}`))

export const codeSplitting = {
  groups: GROUPS.map(([name, ...files], index) => ({
    name,
    test: isOneOf(files),
    priority: GROUPS.length - index,
  })),
}
