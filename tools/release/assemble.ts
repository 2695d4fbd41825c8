import { existsSync } from 'node:fs'
import { defined } from '../../cache/values/defined.ts'
import { join } from 'node:path'
import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { digestJson } from '../../cache/values/digest.ts'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { createRegistry, type ModelRegistry } from '../../models/registry/registry.ts'
import { readRunSpec } from '../helm/read-run.ts'
import { writeWholeFile } from '../helm/write/staged-file.ts'
import { summarize } from '../helm/summarize.ts'
import { emitSite } from '../site/emit/emit.ts'
import { siteInputs } from '../site/emit/site-inputs.ts'
import type { SiteAssets } from '../site/site.ts'
import { GET_AGAIN } from './bad-release.ts'
import { bundleReadme, README_FILE } from './bundle/bundle-readme.ts'
import { digestFiles, listPaths } from './bundle/list-files.ts'
import { untoldOf } from '../../targets/board/complete-ranks.ts'
import { readRanking, writeRanking } from './ranking.ts'
import { printRelease, RELEASE_FILE, type Release, type ReleaseGiven } from './release-file.ts'
import { releaseNotes } from './release-about.ts'
import { lackingOf, releaseSuites, type WithheldValues } from './release-suites.ts'
import { OUTPUT, readCard, runPath, type RunCard } from './run-card.ts'
import type { Price } from '../../models/prices/price.ts'
import { observedCost } from '../../targets/spend/spending.ts'

/** The user's schema in a bundle, if the release has one. */
export const SCHEMA = 'schema.yaml'

/** Records of a bundle's runs, suite by suite in the runs' order. */
export const readCards = async (bundle: string): Promise<readonly RunCard[]> => {
  if (!existsSync(join(bundle, 'records'))) return []
  const paths = await listPaths(join(bundle, 'records'))
  const cards = await Promise.all(paths.map((path) => readCard(bundle, `records/${path}`)))
  return cards.sort((a, b) => (a.position ?? 0) - (b.position ?? 0))
}

interface MadeWith {
  readonly assets: SiteAssets
  /** At hand while a release is made from records; from its files alone there are none. */
  readonly withheld: readonly WithheldValues[]
  /** What problems call the schema in it, which is a copy. */
  readonly shownSchemaPath?: string | undefined
}

export interface Assembled {
  readonly release: Release
  readonly digest: string
  /** What looks odd in the tables; they were written all the same. */
  readonly problems: readonly Problem[]
  /** What rests on withheld values that were not at hand. */
  readonly untold: readonly string[]
}

/**
 * Adds to a folder of runs, records and replies everything that follows from them: HELM's tables, the site, release.json.
 * A pure function of those files, `given`, the site's assets and withheld values; no clock, no store, no network.
 */
export const assemble = async (bundle: string, given: ReleaseGiven, made: MadeWith): Promise<Assembled> => {
  const cards = await readCards(bundle)
  const registry = createRegistry(
    given.models,
    [],
    given.prices?.map((price) => ({ ...price, file: RELEASE_FILE })),
  )
  const problems = await writeTables(bundle, given, { cards, registry, ...made })
  const untold = await writeSite(bundle, given, { cards, registry, ...made })
  await writeWholeFile(join(bundle, README_FILE), [bundleReadme(given, cards)])
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
      ...(card.record.imported === undefined ? {} : { imported: card.record.imported }),
      ...(given.prices === undefined ? {} : runCosts(card, given.prices)),
    })),
    withheld: cards.flatMap(({ suite, name, withheld }) =>
      withheld === null ? [] : [{ suite, run: name, ...withheld }],
    ),
    files: [...(await digestFiles(bundle))],
  }
  const { text, digest } = printRelease(release)
  await writeWholeFile(join(bundle, RELEASE_FILE), [text])
  return { release, digest, problems, untold }
}

interface Parts {
  readonly cards: readonly RunCard[]
  readonly registry: ModelRegistry
}

const writeTables = async (
  bundle: string,
  { release, suites, date }: ReleaseGiven,
  { cards, registry, shownSchemaPath }: Parts & MadeWith,
): Promise<Problem[]> => {
  const schema = join(bundle, SCHEMA)
  const summary = await summarize({
    outputPath: join(bundle, OUTPUT),
    shownOutputPath: OUTPUT,
    release,
    suites,
    ...(existsSync(schema) ? defined({ schemaPath: schema, shownSchemaPath }) : {}),
    schemaValidation: 'warn',
    modelRegistry: registry,
    scenarioOf: async ({ name, suite }) => {
      const card = cards.find((each) => each.name === name && each.suite === suite)
      return card && { mainMetric: card.benchmark.mainMetric }
    },
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
          remedy: GET_AGAIN,
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

const writeSite = async (
  bundle: string,
  given: ReleaseGiven,
  { cards, registry, assets, withheld }: Parts & MadeWith,
): Promise<readonly string[]> => {
  const ranking = await readRanking(bundle)
  const release = releaseNotes(given, cards)
  const made = await releaseSuites(bundle, given.suites, { cards, registry, ranking, withheld })
  const shown = made.map((suite) => defined({ ...suite, taxonomy: given.taxonomy, release }))
  await writeRanking(
    bundle,
    shown,
    new Set(cards.flatMap(({ benchmark, withheld: hidden }) => (hidden === null ? [] : [benchmark.name]))),
  )
  await emitSite(join(bundle, 'site'), { suites: shown, assets, inputs: siteInputs(shown, assets) })
  return shown.flatMap((suite) => untoldOf(suite, lackingOf(suite.board.suite, { cards, withheld })))
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

/** US dollars of a run's answers and of its judges' replies; null where a price or the tokens of a reply are not known. */
interface ReleaseCosts {
  readonly usd: number | null
  readonly juryUsd: number | null
}

export const runCosts = (
  { deployment, record: { usage } }: Pick<RunCard, 'deployment' | 'record'>,
  prices: readonly Omit<Price, 'file'>[],
): ReleaseCosts => {
  const priceOf = (name: string): Omit<Price, 'file'> | undefined =>
    prices.find((price) => price.deployment === name)
  return {
    usd: observedCost(usage, priceOf(deployment.deployment)),
    juryUsd: Object.values(usage.judges).reduce<number | null>((sum, judge) => {
      const cost = observedCost(judge, priceOf(judge.deployment))
      return sum === null || cost === null ? null : sum + cost
    }, 0),
  }
}
