// `npm run bench`: bundles the measurements and runs them on a freshly built dist.
import { execFileSync, spawnSync } from 'node:child_process'
import { build } from 'esbuild'

execFileSync(process.execPath, ['tools/build/build.mjs'], { stdio: 'inherit' })
const outdir = 'node_modules/.cache/medmake-bench'
await build({
  entryPoints: { bench: 'tools/bench/bench.ts', server: 'tools/bench/serve.ts' },
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
})
const { status } = spawnSync(process.execPath, [`${outdir}/bench.js`, ...process.argv.slice(2)], {
  stdio: 'inherit',
})
process.exitCode = status ?? 1
