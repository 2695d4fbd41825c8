import { PROFILES } from '../../../targets/profile.ts'
import type { Flags } from '../verb.ts'

/** Which runs are meant: files or entries instead of the workspace's suites, and how they are shaped. */
export const ENTRY_FLAGS: Flags = {
  '-c, --conf-paths <files...>': "run-entry files (HOCON); else the workspace's suites",
  '-r, --run-entries <entries...>': 'run entries, e.g. "pubmed_qa:model=…"',
  '--models-to-run <models...>': 'only these models or deployments',
  '--groups-to-run <groups...>': 'only benchmarks of these groups',
  '--priority <number>': 'drop entries with a greater priority number',
  '-m, --max-eval-instances <count>': ['evaluated instances of each run', 'medmake.yaml, else 1000'],
  '-t, --num-train-trials <count>': [
    'trials with different in-context examples',
    'medmake.yaml, else as the entry says, else 1',
  ],
  // Where runs of entries go; a workspace's suites have their own.
  '--suite <name>': ['folder under runs/ for --conf-paths and --run-entries', 'default'],
}

export const OUTPUT_FLAG: Flags = {
  '-o, --output-path <folder>': ['where results go', 'medmake.yaml, else benchmark_output'],
}

/** @param of whose flags they are, where not all of a verb's commands take them */
export const dialectFlags = (of = ''): Flags => ({
  '--profile <name>': [
    `${of}the dialect in which replies and scores are read: ${PROFILES.join(', ')}`,
    'medmake.yaml, else helm-0.5.16',
  ],
  '--errata <how>': [
    `${of}known faults of benchmarks: 'reproduced' as HELM has them, or 'corrected'`,
    'medmake.yaml, else reproduced',
  ],
})

/** What a session finds its parts by, but for its store. */
export const STORELESS_FLAGS: Flags = {
  '--local-path <folder>': [
    'model_deployments.yaml, model_metadata.yaml, credentials.conf',
    'medmake.yaml, else prod_env',
  ],
  '--mirror <folder>': 'take dataset URLs from this folder, use no network for them',
  ...dialectFlags(),
  '--skip-bad-rows': [
    "leave out rows of data sets that can't be used, and tell them",
    'medmake.yaml, else the run ends there',
  ],
}

export const SESSION_FLAGS: Flags = {
  '--store <folder>': ['the cache', 'medmake.yaml, else cache/store'],
  ...STORELESS_FLAGS,
}

/** @param of whose flag it is, where not all of a verb's commands take it */
export const maxUsdFlag = (of = ''): Flags => ({
  '--max-usd <dollars>': [
    `${of}make no call whose prompt and max_tokens could take the cost above this; exit with 4 there, run again to go on`,
    'budget.max_usd in medmake.yaml, else no cap',
  ],
})

export const MAX_USD_FLAG: Flags = maxUsdFlag()

/** Of verbs that read what was built. */
export const FAILURES_FLAG: Flags = { '--allow-failures': 'take runs in which some instances failed' }

export const JSON_FLAG: Flags = { '--json': 'print one JSON object' }

export const TIER_FLAG: Flags = {
  '--tier <place>': [
    'share what is paid for with other machines: a folder that all reach, or s3://bucket/prefix',
    'store.tier of medmake.yaml',
  ],
}
