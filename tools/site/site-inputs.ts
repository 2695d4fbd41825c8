import { digestJson, digestOf } from '../../cache/digest.ts'
import type { Json } from '../../cache/json.ts'
import { SITE_VERSION, type RunFacts, type SiteAssets, type SiteSuite } from './site.ts'

/** Digest of what a run's page shows; its instances are in it by the digest of their record. */
export const runKey = (facts: RunFacts): string => digestJson<'aggregate'>([SITE_VERSION, plain(facts)])

/** Digest of all that a site is made of, without reading any instance. */
export const siteInputs = (suites: readonly SiteSuite[], assets: SiteAssets): string =>
  digestJson<'aggregate'>([
    SITE_VERSION,
    digestOf<'text'>(assets.script),
    digestOf<'text'>(assets.style),
    suites.map(({ board, runs }) => [plain(board), runs.map(({ facts }) => runKey(facts))]),
  ])

/** As JSON has it: without undefined fields. Lone surrogates become U+FFFD, for a key can't hold them. */
const plain = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value).replaceAll(/\\ud[89a-f][0-9a-f]{2}/g, '\\ufffd')) as Json
