import type { RunCard } from '../../../tools/release/run-card.ts'
import { usageOf } from '../../rig/model-calls.ts'

/** What a release's record says of a run of `sampleRun`, invented. */
export const madeUpCard = (
  more: Partial<RunCard> = {},
  record: Partial<RunCard['record']> = {},
): RunCard => ({
  format: 1,
  suite: 's',
  name: 'sums:digits=2,model=a_b',
  benchmark: {
    name: 'sums',
    displayName: 'Sums',
    description: 'Adds numbers.',
    access: 'public',
    mainMetric: { name: 'exact_match', split: 'test' },
    identity: { data: 'd1' },
  },
  profile: 'helm-0.5.16',
  model: 'a/b',
  deployment: { deployment: 'a/b', modelString: 'b', protocol: 'chat', tokenizer: null },
  metrics: [],
  jury: null,
  queries: false,
  promptTokens: [7],
  newestCall: 9,
  target: { digest: 't1', key: {} },
  withheld: null,
  ...more,
  record: {
    rows: 1,
    rowsDigest: 'r1',
    counts: {},
    failures: [],
    coverage: { evaluated: 2, measured: 1, floor: 0.9 },
    causes: {},
    ownStats: [],
    sample: null,
    omitted: [],
    served: [],
    usage: { ...usageOf(), judges: {} },
    ...record,
  },
})

export const WITHHELD: NonNullable<RunCard['withheld']> = {
  reason: 'sums is private',
  files: ['replies'],
  suppressedStats: 2,
}
