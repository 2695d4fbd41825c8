// `npm run bench`: bundles the measurements and runs them on a freshly built dist; `-- spending`: caps and estimates;
// `-- statistics --seed N`: coverage and error rates in made-up data of which the truth is known; `-- ratings --seed N`:
// coverage of calibrated scores in made-up studies; `-- desk`: start and pace of a rating desk of 10,000 items;
// `-- answering [rounds] [name] [instances]`: how long a large board’s controls take in Chromium;
// `-- growth [steps] [line …] [--keep]`: CPU as work grows; `-- stored [completions]`: a large store; `-- entered [--list]`: source files that a small run enters; `-- --helm DIR`: the same jobs by a real HELM, in turns.
import { execFileSync, spawnSync } from 'node:child_process'
import { build } from 'esbuild'

// With it Node reads certificates at each start, which takes longer than Node itself; no server here has one.
delete process.env.NODE_EXTRA_CA_CERTS

execFileSync(process.execPath, ['tools/build/build.mjs'], { stdio: 'inherit' })
const outdir = 'node_modules/.cache/medmake-bench'
await build({
  entryPoints: {
    bench: 'test/bench/bench.ts',
    spending: 'test/bench/spending.ts',
    statistics: 'test/bench/statistics/statistics.ts',
    ratings: 'test/bench/rated-studies.ts',
    desk: 'test/bench/desk.ts',
    server: 'test/bench/serve.ts',
    site: 'test/bench/site-scale.ts',
    growth: 'test/bench/growth.ts',
    stored: 'test/bench/stored.ts',
    private: 'test/bench/private.ts',
    entered: 'test/bench/entered.ts',
    answering: 'test/bench/browser/answering.ts',
    helm: 'test/bench/helm.ts',
  },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
const PROGRAMS = [
  'spending',
  'statistics',
  'ratings',
  'desk',
  'growth',
  'stored',
  'private',
  'entered',
  'answering',
]
const asked = process.argv[2]
const program = asked === '--helm' ? 'helm' : PROGRAMS.includes(asked) ? asked : 'bench'
const { status } = spawnSync(process.execPath, [`${outdir}/${program}.js`, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
