import { remembered } from '../../../cache/once.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import type { InstancesFrame } from '../pages/run/page.tsx'
import { SITE_VERSION, type RunFacts, type SiteAssets, type SiteSuite } from '../site.ts'

/** Fields stand in the order in which our code writes them, so equal values have equal texts. */
const digestOfValue = (value: unknown): string => digestOf<'text'>(JSON.stringify(value))

const digests = new WeakMap<RunFacts, string>()

const factsDigest = (facts: RunFacts): string => remembered(digests, facts, () => digestOfValue(facts))

/** Digest of what a run's page shows; its instances are in it by the digest of their record. */
export const runKey = (facts: RunFacts, frame: InstancesFrame): string =>
  digestOfValue([SITE_VERSION, frame, factsDigest(facts)])

/** Parts of a suite that are plain JSON. */
const ABOUT = [
  'pairs',
  'tasks',
  'subgroups',
  'judges',
  'benchmarks',
  'models',
  'taxonomy',
  'catalog',
  'release',
  'history',
] as const

/** Digest of all that a site is made of, without reading any instance. */
export const siteInputs = (suites: readonly SiteSuite[], assets: SiteAssets): string =>
  digestOfValue([
    SITE_VERSION,
    digestOf<'text'>(assets.script),
    digestOf<'text'>(assets.answers),
    digestOf<'text'>(assets.style),
    suites.map(({ board, dropout = [], runs, ...about }) => [
      board,
      ABOUT.map((name) => about[name] ?? null),
      dropout.map(({ benchmark, rows, swaps }) => [
        benchmark,
        rows.map(({ model, all, without }) => [model, all, [...without]]),
        [...swaps],
      ]),
      runs.map(({ facts }) => factsDigest(facts)),
    ]),
  ])
