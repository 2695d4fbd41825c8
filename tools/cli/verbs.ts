import type { Verb } from './verb.ts'
import { affected } from './verbs/affected.ts'
import { agreement } from './verbs/agreement.ts'
import { analyze } from './verbs/analyze.ts'
import { cache } from './verbs/cache.ts'
import { ci } from './verbs/ci.ts'
import { compare } from './verbs/compare.ts'
import { costs } from './verbs/costs.ts'
import { data } from './verbs/data.ts'
import { doctor } from './verbs/doctor.ts'
import { estimate } from './verbs/estimate.ts'
import { explain } from './verbs/explain.ts'
import { init } from './verbs/init.ts'
import { jury } from './verbs/jury.ts'
import { metrics } from './verbs/metrics.ts'
import { power } from './verbs/power.ts'
import { models } from './verbs/models.ts'
import { redact } from './verbs/redact.ts'
import { release } from './verbs/release.ts'
import { report } from './verbs/report.ts'
import { run } from './verbs/run.ts'
import { serve } from './verbs/serve.ts'
import { settings } from './verbs/settings.ts'
import { spend } from './verbs/spend.ts'
import { summarize } from './verbs/summarize.ts'
import { taxonomy } from './verbs/taxonomy.ts'

/** All verbs, in the order of the help. */
export const VERBS: readonly Verb[] = [
  init,
  estimate,
  run,
  report,
  serve,
  summarize,
  explain,
  affected,
  compare,
  analyze,
  costs,
  spend,
  ci,
  agreement,
  jury,
  metrics,
  power,
  models,
  data,
  taxonomy,
  release,
  redact,
  settings,
  cache,
  doctor,
]
