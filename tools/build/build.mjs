// Bundles the TypeScript sources into dist/: one file an entry point, few chunks, our dependencies left outside.
// Bundled because a start must stay under 0.1 s: a hundred small modules cost more than that to open. A package of
// the devDependencies that a source imports becomes part of the bundle: what is used of it is a small part of it.
import { readdirSync, existsSync, renameSync, rmSync, readFileSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { codeSplitting } from './chunks.mjs'

const entries = {
  medmake: 'tools/cli/medmake.ts',
  'helm-run': 'tools/cli/helm-run.ts',
  'helm-summarize': 'tools/cli/helm-summarize.ts',
  'helm-server': 'tools/cli/helm-server.ts',
}
/** Files that run as programs or are loaded by name at run time. */
const optional = {
  'write-parsed': 'tools/build/write-parsed.ts',
  cli: 'tools/cli/main.ts',
  'nx/plugin': 'tools/nx/plugin.ts',
  'nx/executors': 'tools/nx/executors.ts',
  'nx/generators': 'tools/nx/generators.ts',
  'code-watch': 'cache/user-code/watch-thread.ts',
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
const outside = Object.keys({ ...dependencies, ...peerDependencies })
const isOutside = (id) => outside.some((name) => id === name || id.startsWith(`${name}/`))

/** A package's licence; of one that is Apache's as ours, which lies beside it, what differs. */
function licenceOf(name) {
  const text = readFileSync(`node_modules/${name}/LICENSE`, 'utf8')
  if (!text.trimStart().startsWith('Apache License')) return text
  const ours = new Set(readFileSync('LICENSE', 'utf8').split('\n'))
  const own = text.split('\n').filter((line) => !ours.has(line))
  return ['Apache License, Version 2.0: the text of the file LICENSE.', ...own, ''].join('\n')
}

/** Licences of the packages that are part of the bundle. */
function licencesOf(files) {
  const names = files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? [])
  return [...new Set(names)]
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => `${name}\n\n${licenceOf(name)}`)
    .join('\n')
}

/** Stands for all that a module exports. */
const unusedOf = (file) => {
  const text = readFileSync(`node_modules${file}`, 'utf8')
  return unused(...Array.from(text.matchAll(/^export (?:const|function) (\w+)/gm), ([, name]) => name))
}
const unused = (...names) => `export const ${names.join(' = undefined, ')} = undefined`
/** Modules of packages that nothing here needs whole: what stands for them, by how their files end. */
const smaller = {
  // Messages in sixty languages: we write our own.
  '/zod/v4/locales/index.js': 'export {}',
  // JSON Schemas are made by the build.
  ...Object.fromEntries(
    ['/zod/v4/core/json-schema-processors.js', '/zod/v4/core/to-json-schema.js'].map((file) => [
      file,
      unusedOf(file),
    ]),
  ),
  // A log that is switched off: it would list every request's headers all the same.
  '/openai/internal/utils/log.mjs': `const nothing = () => {}
const silent = { error: nothing, warn: nothing, info: nothing, debug: nothing }
export const loggerFor = () => silent
export const formatRequestDetails = (details) => details
export const parseLogLevel = () => 'off'`,
  // d3-scale lays out numbers here: neither colours and dates, nor texts of its own.
  '/d3-interpolate/dist/d3-interpolate.mjs': `export const interpolateNumber = (a, b) => (t) => a * (1 - t) + b * t
export { interpolateNumber as interpolate }
export const interpolateRound = (a, b) => (t) => Math.round(a * (1 - t) + b * t)
${unused('piecewise')}`,
  '/d3-format/dist/d3-format.mjs': unused(
    'format',
    'formatPrefix',
    'formatSpecifier',
    'precisionFixed',
    'precisionPrefix',
    'precisionRound',
  ),
  // Of Parquet texts and doubles are written, with no filter to look them up by.
  '/hyparquet-writer/src/bloom.js': `${unused('BloomBuilder')}
export const writeBlooms = () => {}`,
  '/hyparquet-writer/src/delta.js': unused('deltaBinaryPack', 'deltaLengthByteArray', 'deltaByteArray'),
  '/hyparquet-writer/src/geospatial.js': unused('geospatialStatistics'),
  '/hyparquet-writer/src/splitstream.js': unused('writeByteStreamSplit'),
  '/hyparquet-writer/src/variant.js': unused(
    'encodeVariantColumn',
    'autoDetectShredding',
    'normalizeShreddingConfig',
  ),
  '/hyparquet-writer/src/wkb.js': unused('geojsonToWkb'),
}
/** The openai package sends what it is given: of the methods that it has for each of its routes none is called. */
const emptyRoutes = (id) => {
  const names = Array.from(readFileSync(id, 'utf8').matchAll(/^export class (\w+)/gm), ([, name]) => name)
  return names.length === 0 ? undefined : names.map((name) => `export class ${name} {}`).join('\n')
}
const smallerFor = (id) =>
  Object.entries(smaller).find(([ending]) => id.endsWith(ending))?.[1] ??
  (id.includes('/openai/resources/') ? emptyRoutes(id) : undefined)
const withSmaller = {
  name: 'with-smaller',
  load: (id) => {
    const code = smallerFor(id)
    return code === undefined ? undefined : { code }
  },
}
/** The same, for pages. */
const pageWithSmaller = {
  name: withSmaller.name,
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.m?js$/ }, ({ path }) => {
      const contents = smallerFor(path)
      return contents === undefined ? undefined : { contents }
    }),
}

// Built beside the old one and put in its place whole: whoever runs dist meanwhile never finds half of it.
const fresh = `dist.${process.pid}`
const old = `${fresh}.old`
process.on('exit', () => {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true })
})
const bundle = await rolldown({
  input: entries,
  platform: 'node',
  external: isOutside,
  plugins: [withSmaller],
  preserveEntrySignatures: 'allow-extension',
  transform: {
    target: 'node20',
    define: {
      'process.env.MEDMAKE_VERSION': JSON.stringify(version),
      'process.env.MEDMAKE_CODE': JSON.stringify(code.digest('hex').slice(0, 16)),
    },
  },
})
const { output } = await bundle.write({
  dir: fresh,
  // A code cache (tools/cli/keep-compiled.ts) is for scripts: Node 20 takes none for a module.
  format: 'cjs',
  codeSplitting,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  // Names of functions would take 27 kB of the megabyte that the package may have.
  minify: true,
  comments: false,
  // Beside the files, and not named in them: the package leaves them out.
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
})
await bundle.close()

/** A chunk's exports, each of which the bundler defines in sixty signs: of the package's megabyte 4 kB. */
const EXPORT = String.raw`Object\.defineProperty\(exports,"([\w$]+)",\{enumerable:!0,get:function\(\)\{return ([\w$]+)\}\}\)`
const withShortExports = (code) =>
  code.replaceAll(new RegExp(`${EXPORT}(?:,${EXPORT})+`, 'g'), (all) => {
    const getters = [...all.matchAll(new RegExp(EXPORT, 'g'))].map(
      ([, name, value]) => `${name}:()=>${value}`,
    )
    return `Object.entries({${getters.join()}}).map(([n,get])=>Object.defineProperty(exports,n,{enumerable:!0,get}))`
  })
for (const { type, fileName } of output)
  if (type === 'chunk') {
    const file = `${fresh}/${fileName}`
    writeFileSync(file, withShortExports(readFileSync(file, 'utf8')))
  }
writeFileSync(`${fresh}/package.json`, '{"type":"commonjs"}\n')
const bundled = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
writeFileSync(`${fresh}/LICENSES.txt`, licencesOf(bundled.map((id) => relative(process.cwd(), id))))

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
    plugins: [pageWithSmaller],
    metafile: true,
    logLevel: 'warning',
  })
  const script = `${fresh}/${entryPoints[0].out}.js`
  const licences = licencesOf(Object.keys(page.metafile.inputs))
  // A twelfth smaller than esbuild's own, and the package may have a megabyte.
  const { code, errors } = minifySync(script, readFileSync(script, 'utf8'), {
    compress: { target: 'es2022' },
    mangle: { toplevel: true },
    codegen: { legalComments: 'none' },
  })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  writeFileSync(script, `/*! ${licences}*/\n${code}`)
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
// In one file, as all hold the same parts: four tenths smaller than a tarball makes them, and the package may have a megabyte.
const pages = { site: {}, desk: {} }
for (const [folder, files] of Object.entries(pages)) {
  for (const name of readdirSync(`${fresh}/${folder}`).toSorted())
    files[name] = readFileSync(`${fresh}/${folder}/${name}`, 'utf8')
  rmSync(`${fresh}/${folder}`, { recursive: true })
}
writeFileSync(`${fresh}/pages.json.br`, brotliCompressSync(JSON.stringify(pages)))

/** Runs a program of the build on what it is to make, and takes it away. */
const runOnce = (name, ...args) => {
  const { status, stderr } = spawnSync(process.execPath, [`${fresh}/${name}.js`, ...args], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  for (const ending of ['js', 'js.map']) rmSync(`${fresh}/${name}.${ending}`)
}
// JSON Schemas of the files that users write, for their editors; by all of zod, of which the bundle has a part.
const schemas = await rolldown({
  input: { 'write-schemas': 'tools/schemas/write-schemas.ts' },
  platform: 'node',
  external: isOutside,
  transform: { target: 'node20' },
})
await schemas.write({ dir: fresh, format: 'cjs', codeSplitting: false, sourcemap: true })
await schemas.close()
runOnce('write-schemas', `${fresh}/schemas`)
// Our own YAML files, parsed: reading sixty of them at each start would take a quarter of it.
runOnce('write-parsed', `${fresh}/parsed.txt.br`)

// What a workspace's code may import: a module, which bundlers see through.
const api = await rolldown({ input: 'tools/api/index.ts', platform: 'node', transform: { target: 'node20' } })
await api.write({ file: `${fresh}/api/index.js`, format: 'esm', minify: true })
await api.close()
writeFileSync(`${fresh}/api/package.json`, '{"type":"module"}\n')
// Its types. Declarations name their files by what they become.
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
