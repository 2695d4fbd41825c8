// Bundles the TypeScript sources into dist/: one file an entry point, shared chunks, npm packages left outside.
// Bundled because a start must stay under 0.15 s: a hundred small modules cost more than that to open.
import { readdirSync, existsSync, renameSync, rmSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { build } from 'esbuild'

const entries = {
  medmake: 'tools/cli/medmake.ts',
  'helm-run': 'tools/cli/helm-run.ts',
  'helm-summarize': 'tools/cli/helm-summarize.ts',
  'helm-server': 'tools/cli/helm-server.ts',
}
/** Files that run as programs or are loaded by name at run time. */
const optional = {
  cli: 'tools/cli/main.ts',
  'nx/plugin': 'tools/nx/plugin.ts',
  'nx/executors': 'tools/nx/executors.ts',
  'sql-thread': 'targets/sql/thread.ts',
  'page-thread': 'tools/helm/page-thread.ts',
}
// Of use beside the reference results only, so not in what is published.
if (process.argv.includes('--parity')) optional.parity = 'tools/parity/parity.ts'
for (const [name, file] of Object.entries(optional)) if (existsSync(file)) entries[name] = file
for (const name of readdirSync('benchmarks/catalog', { withFileTypes: true })) {
  const file = `benchmarks/catalog/${name.name}/scenario.ts`
  if (name.isDirectory() && existsSync(file)) entries[`benchmarks/${name.name}/scenario`] = file
}

const rooms = ['benchmarks', 'cache', 'models', 'targets', 'tools']
const sources = rooms
  .flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' }).map((file) => `${room}/${file}`),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .sort((one, other) => (one < other ? -1 : 1))
const code = createHash('sha256')
for (const file of sources) code.update(`${file}\n`).update(readFileSync(file))
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

// Built beside the old one and put in its place whole: whoever runs dist meanwhile never finds half of it.
const fresh = `dist.${process.pid}`
const old = `${fresh}.old`
process.on('exit', () => {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
})
await build({
  entryPoints: entries,
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  define: {
    'process.env.MEDMAKE_VERSION': JSON.stringify(version),
    'process.env.MEDMAKE_CODE': JSON.stringify(code.digest('hex').slice(0, 16)),
  },
  sourcemap: 'linked',
  sourcesContent: false,
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
})

if (existsSync('tools/site/client/main.ts'))
  await build({
    entryPoints: [
      { in: 'tools/site/client/main.ts', out: 'site/board' },
      { in: 'tools/site/site.css', out: 'site/board' },
    ],
    outdir: fresh,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // Preact and its signals are part of the script, so their licences are, too.
    banner: {
      js: ['preact', '@preact/signals', '@preact/signals-core']
        .map((name) => `/*! ${name}\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}*/`)
        .join('\n'),
    },
    logLevel: 'warning',
  })

if (existsSync('dist')) renameSync('dist', old)
renameSync(fresh, 'dist')
