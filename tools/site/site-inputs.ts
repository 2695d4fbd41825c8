import { digestOf } from '../../cache/digest.ts'
import { SITE_VERSION, type RunFacts, type SiteAssets, type SiteSuite } from './site.ts'

/** Fields stand in the order in which our code writes them, so equal values have equal texts. */
const digestOfValue = (value: unknown): string => digestOf<'text'>(JSON.stringify(value))

const keys = new WeakMap<RunFacts, string>()

/** Digest of what a run's page shows; its instances are in it by the digest of their record. */
export const runKey = (facts: RunFacts): string => {
  const known = keys.get(facts) ?? digestOfValue([SITE_VERSION, facts])
  keys.set(facts, known)
  return known
}

/** Digest of all that a site is made of, without reading any instance. */
export const siteInputs = (suites: readonly SiteSuite[], assets: SiteAssets): string =>
  digestOfValue([
    SITE_VERSION,
    digestOf<'text'>(assets.script),
    digestOf<'text'>(assets.style),
    suites.map(({ board, runs }) => [board, runs.map(({ facts }) => runKey(facts))]),
  ])
