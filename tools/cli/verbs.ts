import type { Verb } from './verb.ts'
import { affected } from './affected/verb.ts'
import { agreement } from './agreement/verb.ts'
import { analyze } from './analyze/verb.ts'
import { benchmark } from './benchmark/verb.ts'
import { cache } from './cache/verb.ts'
import { ci } from './ci/verb.ts'
import { cluster } from './cluster/verb.ts'
import { compare } from './compare/verb.ts'
import { costs } from './costs/verb.ts'
import { data } from './data/verb.ts'
import { doctor } from './doctor/verb.ts'
import { estimate } from './estimate/verb.ts'
import { explain } from './explain/verb.ts'
import { init } from './init/verb.ts'
import { jury } from './jury/verb.ts'
import { metrics } from './metrics/verb.ts'
import { power } from './power/verb.ts'
import { models } from './models/verb.ts'
import { rate } from './rate/verb.ts'
import { redact } from './redact/verb.ts'
import { release } from './release/verb.ts'
import { report } from './report/verb.ts'
import { run } from './run/verb.ts'
import { serve } from './serve/verb.ts'
import { settings } from './settings/verb.ts'
import { spend } from './spend/verb.ts'
import { summarize } from './summarize/verb.ts'
import { taxonomy } from './taxonomy/verb.ts'

/** All verbs, in the order of the help and by what a reader wants. */
export const VERB_GROUPS: Readonly<Record<string, readonly Verb[]>> = {
  'Set up': [init, doctor, models, data, benchmark, metrics, taxonomy, settings],
  Run: [estimate, run, cluster, explain, affected, ci],
  Results: [report, serve, summarize, compare, power, analyze, costs, spend],
  'Judges and clinicians': [jury, rate, agreement],
  'Share and keep': [release, redact, cache],
}

export const VERBS: readonly Verb[] = Object.values(VERB_GROUPS).flat()
