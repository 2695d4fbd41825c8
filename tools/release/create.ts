import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { listReadable } from '../../benchmarks/lookup/list.ts'
import { readTaxonomy } from '../../benchmarks/taxonomy.ts'
import { readFile } from '../../cache/files/read.ts'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { readDatasetLock } from '../../benchmarks/sources/fetch/remote-file.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { secretFields } from '../../models/deployment/secret-fields.ts'
import { isShown } from '../../targets/access/suppress-small.ts'
import { nearlySame } from '../../targets/runs/nearly-same.ts'
import { builtRun, RUN_FLAGS, sessionRuns } from '../session/built-run.ts'
import type { SuiteTarget } from '../session/resolve-targets.ts'
import type { Session } from '../session/session.ts'
import { readAssets } from '../site/emit/assets.ts'
import { declaredOf } from '../site/about/benchmark-about.ts'
import { inTaxonomyOrder } from '../site/content/taxonomy-order.ts'
import { archivedFiles, writeArchive } from './bundle/archive.ts'
import { assemble, SCHEMA, type Assembled } from './assemble.ts'
import { earlierRuns } from './earlier-runs.ts'
import { RELEASE_FILE, type ReleaseGiven } from './release-file.ts'
import type { WithheldValues } from './release-suites.ts'
import type { RunCard } from './run-card.ts'
import { SIGNATURE_FILE, signBundle } from './bundle/signature.ts'
import { writeFolder } from './bundle/staging.ts'
import { toolVersion } from './tool-version.ts'
import { plural } from '../../cache/words/number-text.ts'
import { writeRatings } from './write-ratings.ts'
import { writeRunPart, type ReleaseInput } from './write-run-part.ts'

interface CreateOptions {
  readonly release: string
  /** `<output>/releases/<release>`. */
  readonly folder: string
  readonly suites: readonly string[]
  /** Benchmarks of restricted access whose texts are released all the same. */
  readonly includeText: readonly string[]
  readonly schemaPath?: string
  /** Clinicians' ratings of public benchmarks go in. */
  readonly ratings: boolean
  readonly warn: (text: string) => void
  /** One of this name with other content gives way. */
  readonly replace: boolean
  /** File of the SSH key that signs it. */
  readonly signWith?: string
}

/**
 * Writes `<folder>/bundle` and `<folder>/<release>.tar.gz` from finished runs: the same runs give the same bytes.
 * @throws ProblemError `release/unfinished` (exit code 1), `release/no-such-benchmark`, `release/exists`,
 * `release/secret`
 */
export const createRelease = async (
  targets: readonly SuiteTarget[],
  session: Session,
  options: CreateOptions,
): Promise<Assembled> => {
  const { release, folder } = options
  refuseUnknownText(targets, options.includeText)
  const runs = await finishedRuns(targets, session, options.includeText)
  refuseSecrets(runs)
  const closed = runs.filter(({ target }) => !isShown(target.spec.benchmark))
  const names = new Set(closed.map(({ target }) => target.spec.name))
  for (const line of nearlySame(runs, await earlierRuns(dirname(folder), release, names))) options.warn(line)
  const assets = await readAssets()
  return writeFolder(join(folder, 'bundle'), async (staged, beside) => {
    const cards: RunCard[] = []
    const withheld: WithheldValues[] = []
    for (const run of runs) {
      const written = await writeRunPart(staged, run, session.env)
      cards.push(written.card)
      if (written.hidden !== undefined)
        withheld.push({ suite: run.suite, run: run.target.spec.name, ...written.hidden })
    }
    const few = options.ratings ? await writeRatings(staged, targets, session, options.warn) : 0
    if (few > 0)
      options.warn(
        `${plural(few, 'rating is', 'ratings are')} withheld: under five of a rater on a benchmark, or what would tell these.`,
      )
    if (options.schemaPath !== undefined) await cp(options.schemaPath, join(staged, SCHEMA))
    const made = await assemble(staged, await givenFor(runs, cards, { session, options }), {
      assets,
      withheld,
      shownSchemaPath: options.schemaPath,
    })
    const before = join(folder, 'bundle')
    const isSame = await isOfSameContent(before, staged)
    if (isSame === false && !options.replace) throw otherContent(before, release)
    const signature = join(before, SIGNATURE_FILE)
    if (options.signWith !== undefined) await signBundle(staged, options.signWith)
    // It is of this content, and whoever makes the release again may not have the key.
    else if (isSame === true && existsSync(signature)) await cp(signature, join(staged, SIGNATURE_FILE))
    const files = await archivedFiles(staged, made.release.files)
    await writeArchive(staged, release, files, join(beside, `${release}.tar.gz`))
    return made
  })
}

/** Undefined where there is none yet. */
const isOfSameContent = async (bundle: string, staged: string): Promise<boolean | undefined> => {
  const [there, made] = await Promise.all(
    [bundle, staged].map((folder) => readFile(join(folder, RELEASE_FILE), 'utf8').catch(() => undefined)),
  )
  return there === undefined ? undefined : there === made
}

/** Whoever cites a release by its name means what it held then. */
const otherContent = (bundle: string, release: string): ProblemError =>
  new ProblemError({
    code: 'release/exists',
    message: `${release} holds something else than what would be released now`,
    where: { file: join(bundle, RELEASE_FILE) },
    remedy:
      'Give this one a name of its own; `--replace` puts it in the place of the other, which is gone then.',
  })

const refuseUnknownText = (targets: readonly SuiteTarget[], includeText: readonly string[]): void => {
  const names = new Set(targets.map(({ target }) => target.spec.benchmark.name))
  const unknown = includeText.filter((name) => !names.has(name))
  if (unknown.length === 0) return
  throw new ProblemError({
    code: 'release/no-such-benchmark',
    message: `the release has no benchmark ${unknown.join(', ')}`,
    where: { field: '--include-text' },
    remedy: `Its benchmarks: ${[...names].sort(compareCodePoints).join(', ')}.`,
  })
}

/** A run's card tells its key, and with it what the bodies of requests and code of the workspace are given. */
const refuseSecrets = (runs: readonly ReleaseInput[]): void => {
  const problems = runs.flatMap(({ target, key }) =>
    secretFields(key.key).map((field) => ({
      code: 'release/secret',
      message: `${target.spec.name}: a release would tell ${field}, which is called as a secret is`,
      remedy:
        'Give it in `headers`, to own code by the environment, and run again; if anybody may read it, rename it.',
    })),
  )
  if (problems.length > 0) throw new ProblemError(problems)
}

const finishedRuns = async (
  targets: readonly SuiteTarget[],
  session: Session,
  includeText: readonly string[],
): Promise<readonly ReleaseInput[]> => {
  const runs: ReleaseInput[] = []
  const run = sessionRuns(session)
  const missing: SuiteTarget[] = []
  const context = { workspace: session.workspace.root }
  const [taxonomy, { benchmarks: catalog }] = await Promise.all([
    readTaxonomy(context),
    listReadable(context),
  ])
  const placed = targets.map((each) => ({ each, run: { benchmark: each.target.spec.benchmark } }))
  for (const { each } of inTaxonomyOrder(placed, taxonomy)) {
    const built = await builtRun(each, session, false)
    if (built === undefined) missing.push(each)
    else {
      const { benchmark } = each.target.spec
      const { access, name, coverageFloor = session.workspace.config.coverage_floor } = benchmark
      const withText = access === 'public' || includeText.includes(name)
      const declared = catalog.find((summary) => summary.name === name)
      runs.push({
        ...built,
        run: run(built),
        withText,
        coverageFloor,
        position: runs.length,
        declared: declared && declaredOf(declared),
      })
    }
  }
  if (missing.length > 0) throw unfinished(missing)
  return runs
}

const unfinished = (missing: readonly SuiteTarget[]): ProblemError =>
  new ProblemError(
    missing.map(({ suite, target }) => ({
      code: 'release/unfinished',
      message: `${suite}: ${target.spec.name} is not finished`,
      remedy: `A release holds finished runs only: run \`medmake run ${suite}\` first, with the same ${RUN_FLAGS}.`,
    })),
    { exitCode: 1 },
  )

const DAY = 'YYYY-MM-DD'.length

const givenFor = async (
  runs: readonly ReleaseInput[],
  cards: readonly RunCard[],
  { session, options }: { readonly session: Session; readonly options: CreateOptions },
): Promise<ReleaseGiven> => {
  const names = new Set(runs.map(({ target }) => target.spec.benchmark.name))
  const used = new Set(runs.map(({ target }) => target.spec.adapter.model))
  const asked = new Set(
    runs.flatMap(({ target: { deployment, judges } }) => [
      deployment.name,
      ...judges.map((judge) => judge.deployment.name),
    ]),
  )
  const { benchmarks } = await listReadable({ workspace: session.workspace.root })
  const identities = JSON.stringify(cards.map(({ benchmark }) => benchmark.identity))
  const lock = await readDatasetLock(session.workspace.root)
  const newest = Math.max(0, ...cards.map(({ newestCall }) => newestCall))
  return {
    release: options.release,
    version: await toolVersion(),
    profile: session.env.profile,
    suites: options.suites,
    date: new Date(newest * 1000).toISOString().slice(0, DAY),
    models: session.registry.models.filter(({ name }) => used.has(name)),
    prices: [...asked].sort(compareCodePoints).flatMap((name) => session.prices.get(name) ?? []),
    taxonomy: await readTaxonomy({ workspace: session.workspace.root }),
    datasets: [...lock]
      .filter(([, sha256]) => identities.includes(sha256))
      .sort(([a], [b]) => compareCodePoints(a, b))
      .map(([url, sha256]) => ({ url, sha256 })),
    errata: benchmarks
      .filter(({ name }) => names.has(name))
      .flatMap(({ name, errata }) => errata.map(({ id, about }) => ({ benchmark: name, id, about }))),
    includedText: options.includeText.toSorted(compareCodePoints),
  }
}
