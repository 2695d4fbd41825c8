// Bundles the TypeScript sources into dist/: one file an entry point, shared chunks, our dependencies left outside.
// Bundled because a start must stay under 0.15 s: a hundred small modules cost more than that to open. A package of
// the devDependencies that a source imports becomes part of the bundle: what is used of it is a small part of it.
import { readdirSync, existsSync, renameSync, rmSync, readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
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
  api: 'tools/api/index.ts',
  'write-schemas': 'tools/schemas/write-schemas.ts',
  cli: 'tools/cli/main.ts',
  'nx/plugin': 'tools/nx/plugin.ts',
  'nx/executors': 'tools/nx/executors.ts',
  'nx/generators': 'tools/nx/generators.ts',
  'sql-thread': 'targets/sql/thread.ts',
  'page-thread': 'tools/helm/write/page-thread.ts',
  'parquet-reader': 'benchmarks/sources/parquet/reader.ts',
}
// Of use beside the reference results only, so not in what is published.
if (process.argv.includes('--parity')) optional.parity = 'test/parity/parity.ts'
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
const { version, dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const outside = Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [name, `${name}/*`])

/** Licences of the packages that are part of the bundle. */
function licencesOf(files) {
  const names = files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])
  return [...new Set(names)]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, 'utf8')}`)
    .join('\n')
}

/** zod's messages in sixty languages: we write our own. */
const withoutLocales = {
  name: 'without-locales',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {}' }))
  },
}

// Built beside the old one and put in its place whole: whoever runs dist meanwhile never finds half of it.
const fresh = `dist.${process.pid}`
const old = `${fresh}.old`
process.on('exit', () => {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
})
const { metafile } = await build({
  entryPoints: entries,
  outdir: fresh,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  external: outside,
  plugins: [withoutLocales],
  metafile: true,
  define: {
    'process.env.MEDMAKE_VERSION': JSON.stringify(version),
    'process.env.MEDMAKE_CODE': JSON.stringify(code.digest('hex').slice(0, 16)),
  },
  sourcemap: 'linked',
  sourcesContent: false,
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
})

writeFileSync(`${fresh}/LICENSES.txt`, licencesOf(Object.keys(metafile.inputs)))

/** What runs in a browser; packages that are part of the script bring their licences along. */
const buildPage = async (entryPoints) => {
  const page = await build({
    entryPoints,
    outdir: fresh,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
    logLevel: 'warning',
  })
  const script = `${fresh}/${entryPoints[0].out}.js`
  const licences = licencesOf(Object.keys(page.metafile.inputs))
  writeFileSync(script, `/*! ${licences}*/\n${readFileSync(script, 'utf8')}`)
}
await buildPage([
  { in: 'tools/site/client/main.ts', out: 'site/board' },
  { in: 'tools/site/site.css', out: 'site/board' },
])
await buildPage([{ in: 'tools/site/client/answers.ts', out: 'site/answers' }])
await buildPage([
  { in: 'tools/rating-desk/page/main.tsx', out: 'desk/desk' },
  { in: 'tools/rating-desk/page/desk.css', out: 'desk/desk' },
])

// JSON Schemas of the files that users write, for their editors.
{
  const { status, stderr } = spawnSync(process.execPath, [`${fresh}/write-schemas.js`, `${fresh}/schemas`], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  for (const ending of ['js', 'js.map']) rmSync(`${fresh}/write-schemas.${ending}`)
}

// Types of what a workspace's code may import. Declarations name their files by what they become.
if (existsSync('node_modules/typescript')) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      'node_modules/typescript/bin/tsc',
      'tools/api/index.ts',
      '--ignoreConfig',
      '--declaration',
      '--emitDeclarationOnly',
      '--strict',
      '--outDir',
      `${fresh}/api`,
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--allowImportingTsExtensions',
      '--skipLibCheck',
      '--types',
      'node',
    ],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stdout)
  for (const name of readdirSync(`${fresh}/api`)) {
    const file = `${fresh}/api/${name}`
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
}

if (existsSync('dist')) renameSync('dist', old)
renameSync(fresh, 'dist')
