import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../cache/package-root.ts'
import { startFakeServer } from './fake-server.ts'
import { gridFiles } from './grid-files.ts'

// `npm run bench -- entered [--list]`: source files of which a run of one instance and one judge enters a function, by V8's
// coverage over the bundle's source maps; and how many by then when the data of the benchmark is opened.

interface Script {
  readonly url: string
  readonly functions: readonly {
    readonly functionName: string
    readonly ranges: readonly {
      readonly startOffset: number
      readonly endOffset: number
      readonly count: number
    }[]
  }[]
}

/** Takes coverage twice: when a file called data.csv is opened first, and at the end. */
const HOOK = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'
const session = new Session()
session.connect()
const post = (method, params) => { let found; session.post(method, params, (error, result) => { if (error) throw error; found = result }); return found }
const { writeFileSync } = fs
const note = (name) => writeFileSync(process.env.ENTERED_NOTES + name + '.json', JSON.stringify(post('Profiler.takePreciseCoverage').result))
let met = false
const meet = (path) => { if (!met && String(path).endsWith('data.csv')) { met = true; note('before') } }
if (isMainThread) {
  post('Profiler.enable')
  // Counts add up: what the first taking saw is in the second by a sum of both.
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (const [object, names] of [[fs, ['openSync', 'open', 'readFileSync', 'readFile', 'createReadStream']], [fs.promises, ['open', 'readFile']]])
    for (const name of names) { const real = object[name]; object[name] = (path, ...rest) => { meet(path); return real.call(object, path, ...rest) } }
  syncBuiltinESMExports()
  process.on('exit', () => note('after'))
}
`

const root = packageRoot()
const maps = new Map<
  string,
  {
    readonly map: SourceMap
    readonly text: string
    readonly starts: readonly number[]
    readonly folder: string
  }
>()

const mapOf = (file: string) => {
  const known = maps.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8')
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const payload = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload
  const made = { map: new SourceMap(payload), text, starts, folder: dirname(file) }
  maps.set(file, made)
  return made
}

/** The source file of a place in a file of the bundle; undefined for a package's. */
const sourceAt = (file: string, offset: number): string | undefined => {
  const { map, starts, folder } = mapOf(file)
  const line = starts.findLastIndex((start) => start <= offset)
  const entry = map.findEntry(line, offset - (starts[line] ?? 0))
  if (!('originalSource' in entry) || entry.originalSource === undefined) return undefined
  const source = relative(root, join(folder, entry.originalSource))
  return source.startsWith('node_modules') || source.startsWith('..') ? undefined : source
}

/** By which one file of the bundle reads another: the bundler's own, though they lie behind a source's code. */
const isExport = (file: string, from: number, to: number): boolean =>
  /^function\s*\(\)\s*\{\s*return [\w$]+;?\s*\}$/.test(mapOf(file).text.slice(from, to))

const enteredIn = (notes: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { url, functions } of JSON.parse(readFileSync(notes, 'utf8')) as readonly Script[]) {
    if (!url.includes('/dist/') || !url.startsWith('file:') || !url.endsWith('.js')) continue
    // The bundler's own.
    if (url.includes('/rolldown-runtime-')) continue
    for (const { functionName, ranges } of functions) {
      const [range] = ranges
      // The first range without a name from the start of a file is the module's own.
      if (range === undefined || range.count === 0 || (functionName === '' && range.startOffset === 0))
        continue
      const file = fileURLToPath(url)
      if (functionName === 'get' && isExport(file, range.startOffset, range.endOffset)) continue
      const source = sourceAt(file, range.startOffset)
      if (source !== undefined) found.add(source)
    }
  }
  return found
}

const server = await startFakeServer({
  answer: ({ prompt }) =>
    prompt.startsWith('Judge') ? '{"accuracy": {"score": 3, "explanation": ""}}' : 'A',
})
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'medmake-entered-')))
try {
  const benchmark = `name: b00\naccess: public\ndescription: Made up.\nmax_tokens: 16\nmetrics:\n  - name: jury_score\n    prompt_file: rubric.txt\n    judges: [{name: grid/m01, model_name: grid/m01}]\n`
  const files = {
    ...gridFiles({ benchmarks: 1, models: 2, rows: 1, url: server.url }),
    'benchmarks/b00/benchmark.yaml': benchmark,
    'benchmarks/b00/rubric.txt':
      'Judge {QUESTION}: {RESPONSE}.\n<rubric_criteria>\n{"accuracy": {"score": 0, "explanation": "why"}}\n</rubric_criteria>\n',
    'targets/grid.conf': 'entries: [{description: "b00:model=grid/m00", priority: 1}]\n',
    'hook.mjs': HOOK,
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const child = spawn(
    process.execPath,
    ['--import', join(folder, 'hook.mjs'), join(root, 'dist/medmake.js'), 'run'],
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        ENTERED_NOTES: join(folder, 'notes-'),
        NODE_DISABLE_COMPILE_CACHE: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  child.stdout.pipe(process.stdout)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the run ended with ${code}`)
  const before = enteredIn(join(folder, 'notes-before.json'))
  const after = new Set([...before, ...enteredIn(join(folder, 'notes-after.json'))])
  process.stdout.write(
    `${server.journal().answered} calls; files entered: ${after.size}, before the data ${before.size}\n`,
  )
  if (process.argv.includes('--list'))
    for (const source of [...after].toSorted())
      process.stdout.write(`${before.has(source) ? 'before' : 'after '} ${source}\n`)
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
