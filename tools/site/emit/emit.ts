import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../../cache/files/folders.ts'
import { sweepStaged, replaceFileSoon } from '../../../cache/files/write.ts'
import { isShown } from '../../../targets/access/suppress-small.ts'
import { csvOf } from '../downloads/table-files.ts'
import { subgroupsTable } from '../downloads/subgroups-file.ts'
import { benchmarkPath, runFolder, runPath, subgroupsPath, suitePath } from '../paths.ts'
import { makeSnapshot } from '../history/make-snapshot.ts'
import type { ValuedInstances } from '../history/run-values.ts'
import { HISTORY_FILE } from '../history/snapshot.ts'
import { fileId } from './file-id.ts'
import { areThere, MANIFEST, readManifest, type Manifest, type ManifestEntry } from './manifest.ts'
import { benchmarkPage } from '../pages/benchmark/page.tsx'
import { compareKey, comparePage } from '../pages/compare/page.tsx'
import { navigationOf, PAGES } from '../pages/pages.ts'
import { runPage, type InstancesFrame } from '../pages/run/page.tsx'
import { shardsOf } from '../pages/run/shards.ts'
import { runKey } from './site-inputs.ts'
import type { SiteAssets, SiteRun, SiteSuite } from '../site.ts'

/** Everything a site is made of. */
interface SiteContent {
  readonly suites: readonly SiteSuite[]
  readonly assets: SiteAssets
  /** `siteInputs` of the same content. */
  readonly inputs: string
  /** Leaves the files of runs' instances to `instancesOnRequest`. */
  readonly withoutInstances?: boolean
}

/**
 * Writes the site: index.html, a page a benchmark and a run, data as scripts, board.json. The same content gives the
 * same bytes. Pages of runs that did not change stay as they are; files of the last site that this one lacks go.
 * The manifest is written last: a site that was cut short is known as such and finished next time.
 */
export const emitSite = async (
  directory: string,
  { suites: given, assets, inputs, withoutInstances = false }: SiteContent,
): Promise<void> => {
  const suites = withoutInstances ? given : await Promise.all(given.map(withRunValues))
  const navigation = navigationOf(suites)
  const all = suites.flatMap((suite) => {
    const frame = frameOf(suite, suites, navigation)
    return suite.runs.map((run) => ({ run, frame }))
  })
  const before = await beginWriting(directory, all)
  const runs: Record<string, ManifestEntry> = {}
  for (const framed of all) {
    const id = idOf(framed)
    runs[id] = before.runs[id] ?? (await writeRun(directory, framed, withoutInstances))
  }
  const files: Record<string, number> = {}
  const write = async (path: string, text: string): Promise<void> => {
    files[path] = await writeText(directory, path, text)
  }
  await write('assets/board.js', assets.script)
  await write('assets/answers.js', assets.answers)
  await write('assets/board.css', assets.style)
  for (const suite of suites) await writeBenchmarks(suite, frameOf(suite, suites, navigation), write)
  for (const { isIn, files: filesOf } of PAGES)
    if (isIn(suites)) for (const { path, text } of filesOf({ suites, navigation })) await write(path, text)
  for (const suite of suites)
    if ((suite.subgroups ?? []).length > 0)
      await write(subgroupsPath(suite.board.suite), csvOf(subgroupsTable(suite)))
  await write(HISTORY_FILE, `${JSON.stringify(suites.map((suite) => makeSnapshot(suite)))}\n`)
  await write('board.json', `${JSON.stringify(suites.map(({ board }) => board))}\n`)
  const manifest: Manifest = { inputs, files, runs }
  await removeOthers(directory, before, manifest)
  await writeManifest(directory, manifest)
}

/** Of what is not public only where earlier releases are held against it: no file tells them. */
const withRunValues = async (suite: SiteSuite): Promise<SiteSuite> => {
  const runValues = new Map<string, ValuedInstances>()
  const areAllUsed = suite.history !== undefined
  for (const { facts, values } of suite.runs) {
    const own = areAllUsed || isShown(facts.benchmark) ? await values?.() : undefined
    if (own !== undefined) runValues.set(facts.name, own)
  }
  return { ...suite, runValues }
}

const frameOf = (
  { board }: SiteSuite,
  suites: readonly SiteSuite[],
  navigation: InstancesFrame['navigation'],
): InstancesFrame => ({
  navigation,
  board: suitePath('index', suites, board.suite),
  ...(navigation.some(({ path }) => path === comparePage.path) && {
    compare: suitePath('compare', suites, board.suite),
    compareData: compareKey(board.suite),
  }),
})

interface FramedRun {
  readonly run: SiteRun
  readonly frame: InstancesFrame
}

const idOf = ({ run: { facts } }: FramedRun): string => fileId(facts.suite, facts.name)

/**
 * Puts down, before any file changes, which pages of runs stay: if writing is cut short, whatever else is there
 * counts as old files, never as the page of some run.
 */
const beginWriting = async (directory: string, runs: readonly FramedRun[]): Promise<Manifest> => {
  const before = readManifest(directory) ?? { inputs: '', files: {}, runs: {} }
  const kept: Record<string, ManifestEntry> = {}
  for (const framed of runs) {
    const known = before.runs[idOf(framed)]
    if (known?.key === runKey(framed.run.facts, framed.frame) && areThere(directory, known.files))
      kept[idOf(framed)] = known
  }
  const old = Object.entries(before.runs).filter(([id]) => kept[id] === undefined)
  const manifest = {
    inputs: '',
    files: Object.assign({}, before.files, ...old.map(([, { files }]) => files)) as Manifest['files'],
    runs: kept,
  }
  await writeManifest(directory, manifest)
  return manifest
}

const writeManifest = async (directory: string, manifest: Manifest): Promise<void> => {
  await writeText(directory, MANIFEST, `${JSON.stringify(manifest)}\n`)
}

type Write = (path: string, text: string) => Promise<void>

const writeRun = async (
  directory: string,
  { run, frame }: FramedRun,
  withoutInstances: boolean,
): Promise<ManifestEntry> => {
  const { suite, name } = run.facts
  const instances = withoutInstances ? {} : await writeInstances(directory, run)
  const path = runPath(suite, name)
  const size = await writeText(directory, path, runPage(run.facts, run.instances !== undefined, frame))
  return { key: runKey(run.facts, frame), files: { ...instances, [path]: size } }
}

/** Writes what a run's page loads of its instances. @returns files with their sizes in bytes */
export const writeInstances = async (
  directory: string,
  { facts, instances }: SiteRun,
): Promise<Readonly<Record<string, number>>> => {
  const files: Record<string, number> = {}
  if (instances === undefined) return files
  const writer = new FileWriter(directory)
  for await (const shard of shardsOf(instances(), facts.benchmark.mainMetric)) {
    const path = `${runFolder(facts.suite, facts.name)}/${shard.key}.js`
    files[path] = await writer.write(path, shard.script)
  }
  await writer.done()
  return files
}

const writeBenchmarks = async (suite: SiteSuite, frame: InstancesFrame, write: Write): Promise<void> => {
  const { board, runs } = suite
  for (const benchmark of board.benchmarks) {
    const shown = runs.find(({ facts }) => facts.benchmark.name === benchmark.name)
    const prompt = isShown(benchmark) ? await shown?.prompt?.() : undefined
    await write(
      benchmarkPath(board.suite, benchmark.name),
      benchmarkPage(suite, benchmark, { prompt, frame }),
    )
  }
}

/** Puts a file in place in one step. @returns its size in bytes */
const writeText = async (directory: string, path: string, text: string): Promise<number> => {
  const file = join(directory, path)
  const bytes = Buffer.from(text, 'utf8')
  makeFolder(dirname(file))
  await replaceFileSoon(file, bytes, REMADE)
  return bytes.length
}

/** Only what an earlier site wrote, or left half written, is removed: a user's own files in the folder are left alone. */
const removeOthers = async (directory: string, before: Manifest, after: Manifest): Promise<void> => {
  const kept = new Set(pathsOf(after))
  for (const folder of new Set([...kept].map(dirname))) sweepStaged(join(directory, folder))
  for (const path of pathsOf(before)) if (!kept.has(path)) await rm(join(directory, path), { force: true })
}

const pathsOf = ({ files, runs }: Manifest): readonly string[] => [
  ...Object.keys(files),
  ...Object.values(runs).flatMap((run) => Object.keys(run.files)),
]

/** Files that are written at a time: enough that the disk never waits for the next text. */
const AT_ONCE = 8
/** A page is made again at no call: not worth a wait for the disk. */
const REMADE = { mode: 0o666, lasting: false }

/** Writes files below a folder, several at a time; each is put in place in one step. */
class FileWriter {
  private readonly directory: string
  private readonly folders = new Set<string>()
  private readonly underWay = new Set<Promise<void>>()
  private failure: { readonly error: unknown } | undefined

  constructor(directory: string) {
    this.directory = directory
  }

  /** Waits until there is room, not until the file is there. @returns its size in bytes */
  async write(path: string, text: string): Promise<number> {
    while (this.underWay.size >= AT_ONCE) await Promise.race(this.underWay)
    this.fail()
    const bytes = Buffer.from(text, 'utf8')
    const writing = this.put(join(this.directory, path), bytes)
      .catch((error: unknown) => {
        this.failure ??= { error }
      })
      .finally(() => this.underWay.delete(writing))
    this.underWay.add(writing)
    return bytes.length
  }

  /** Waits for all files. @throws what kept any of them from being written */
  async done(): Promise<void> {
    await Promise.all(this.underWay)
    this.fail()
  }

  private async put(file: string, bytes: Buffer): Promise<void> {
    const folder = dirname(file)
    if (!this.folders.has(folder)) makeFolder(folder)
    this.folders.add(folder)
    await replaceFileSoon(file, bytes, REMADE)
  }

  private fail(): void {
    if (this.failure !== undefined) throw this.failure.error
  }
}
