import { rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import type { Access } from '../../benchmarks/scenario/benchmark.ts'
import { digestJson } from '../../cache/digest.ts'
import { ProblemError, type Problem } from '../../cache/problem.ts'
import { createRegistry, type ModelRegistry } from '../../models/registry/registry.ts'
import { readRunSpec } from '../helm/read-run.ts'
import { writeWholeFile } from '../helm/staged-file.ts'
import { summarize } from '../helm/summarize.ts'
import { emitSite } from '../site/emit.ts'
import { helmContent } from '../site/helm-content.ts'
import { siteInputs } from '../site/site-inputs.ts'
import type { SiteAssets } from '../site/site.ts'
import { digestFiles, listPaths } from './list-files.ts'
import { printRelease, RELEASE_FILE, type Release, type ReleaseGiven } from './release-file.ts'
import { OUTPUT, readCard, runPath, type RunCard } from './run-card.ts'
import { runCosts } from './run-costs.ts'

/** The user's schema in a bundle, if the release has one. */
export const SCHEMA = 'schema.yaml'

/** Records of a bundle's runs, ordered by path. */
export const readCards = async (bundle: string): Promise<readonly RunCard[]> => {
  if (!existsSync(join(bundle, 'records'))) return []
  const paths = await listPaths(join(bundle, 'records'))
  return Promise.all(paths.map((path) => readCard(bundle, `records/${path}`)))
}

export interface Assembled {
  readonly release: Release
  /** The release's digest. */
  readonly digest: string
  /** What looks odd in the tables; they were written all the same. */
  readonly problems: readonly Problem[]
}

/**
 * Adds to a folder of runs, records and replies everything that follows from them: HELM's tables, the site, release.json.
 * A pure function of those files, `given` and the site's assets; no clock, no store, no network.
 */
export const assemble = async (
  bundle: string,
  given: ReleaseGiven,
  assets: SiteAssets,
): Promise<Assembled> => {
  const cards = await readCards(bundle)
  const registry = createRegistry(given.models, [])
  const problems = await writeTables(bundle, given, { cards, registry })
  problems.push(...(await writeSite(bundle, given, { cards, registry, assets })))
  await rm(join(bundle, RELEASE_FILE), { force: true })
  const release: Release = {
    format: 1,
    ...given,
    benchmarks: benchmarksOf(cards),
    runs: cards.map((card) => ({
      suite: card.suite,
      name: card.name,
      model: card.model,
      deployment: card.deployment.deployment,
      modelString: card.deployment.modelString,
      served: card.record.served,
      judges: (card.jury?.judges ?? []).map((judge) => `${judge.name}: ${judge.deployment}`),
      corrected: card.benchmark.errata?.corrected ?? [],
      target: card.target.digest,
      ...(given.prices === undefined ? {} : runCosts(card, given.prices)),
    })),
    withheld: cards.flatMap(({ suite, name, withheld }) =>
      withheld === null ? [] : [{ suite, run: name, ...withheld }],
    ),
    files: [...(await digestFiles(bundle))],
  }
  const { text, digest } = printRelease(release)
  await writeWholeFile(join(bundle, RELEASE_FILE), [text])
  return { release, digest, problems }
}

interface Parts {
  readonly cards: readonly RunCard[]
  readonly registry: ModelRegistry
}

const writeTables = async (
  bundle: string,
  { release, suites, date }: ReleaseGiven,
  { cards, registry }: Parts,
): Promise<Problem[]> => {
  const schema = join(bundle, SCHEMA)
  const summary = await summarize({
    outputPath: join(bundle, OUTPUT),
    shownOutputPath: OUTPUT,
    release,
    suites,
    ...(existsSync(schema) ? { schemaPath: schema } : {}),
    schemaValidation: 'warn',
    modelRegistry: registry,
    today: date,
  })
  const emptied = await suppressedGroups(bundle, cards)
  // A withheld run has no page of its own, and a suppressed one no numbers, on purpose.
  const problems = summary.problems.filter(
    ({ code, where }) =>
      code !== 'tools/no-run-page' &&
      !emptied.some((group) => where?.field?.startsWith(`run_groups.${group}.`) === true),
  )
  if (summary.runs === cards.length) return problems
  throw new ProblemError(
    problems.length > 0
      ? problems
      : {
          code: 'release/runs-and-records',
          message: `there are ${summary.runs} runs and ${cards.length} records of runs`,
          where: { file: bundle },
          remedy: 'Get the release again from where it was published.',
        },
  )
}

const suppressedGroups = async (bundle: string, cards: readonly RunCard[]): Promise<readonly string[]> => {
  const groups: string[] = []
  for (const { suite, name, withheld } of cards)
    if (withheld !== null && withheld.suppressedStats > 0)
      groups.push(...(await readRunSpec(join(bundle, runPath(suite, name)))).groups)
  return groups
}

/** Whose instances the site may not show, by run group; groups that are not in it may be shown. */
const restrictedGroups = async (
  bundle: string,
  cards: readonly RunCard[],
): Promise<ReadonlyMap<string, Access>> => {
  const groups = new Map<string, Access>()
  for (const { suite, name, benchmark, withheld } of cards) {
    const spec = await readRunSpec(join(bundle, runPath(suite, name)))
    for (const group of spec.groups)
      if (withheld !== null) groups.set(group, benchmark.access)
      else if (benchmark.access === 'public' && !groups.has(group)) groups.set(group, 'public')
  }
  return groups
}

const writeSite = async (
  bundle: string,
  { release }: ReleaseGiven,
  { cards, registry, assets }: Parts & { readonly assets: SiteAssets },
): Promise<readonly Problem[]> => {
  const groups = await restrictedGroups(bundle, cards)
  const sources = new Map(
    cards.map((card) => [card.name, digestJson<'record'>([card.suite, card.target.digest])]),
  )
  const records = new Map(cards.map(({ suite, name, record }) => [runPath(suite, name), record]))
  const { suite, problems } = await helmContent(
    { kind: 'release', name: release },
    {
      outputPath: join(bundle, OUTPUT),
      registry,
      accessOf: (group) => groups.get(group),
      sourceOf: ({ name }) => sources.get(name) ?? name,
      measuredOf: ({ suite, name }) => records.get(runPath(suite, name)),
    },
  )
  await emitSite(join(bundle, 'site'), { suites: [suite], assets, inputs: siteInputs([suite], assets) })
  return problems.map((problem) => ({ ...problem, where: { file: `${OUTPUT}/releases/${release}` } }))
}

/** Each benchmark once, with the identity of its data; two versions of one benchmark are two entries. */
const benchmarksOf = (cards: readonly RunCard[]): Release['benchmarks'] => {
  const found = new Map<string, Release['benchmarks'][number]>()
  for (const { benchmark, jury } of cards) {
    const { name, access, identity } = benchmark
    const entry = { name, access, identity, judgePrompt: jury?.rubric ?? null }
    found.set(`${name} ${digestJson<'aggregate'>([identity, entry.judgePrompt])}`, entry)
  }
  return [...found].sort(([a], [b]) => compareCodePoints(a, b)).map(([, entry]) => entry)
}
