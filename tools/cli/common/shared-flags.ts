import { PROFILES } from '../../../targets/profile.ts'
import type { Flag } from '../verb.ts'

/** Where runs of entries go; a workspace's suites have their own. */
export const SUITE_FLAG: Flag = {
  flags: '--suite <name>',
  description: 'folder under runs/ for --conf-paths and --run-entries',
  shownDefault: 'default',
}

/** Which runs are meant: files or entries instead of the workspace's suites, and how they are shaped. */
export const ENTRY_FLAGS: readonly Flag[] = [
  {
    flags: '-c, --conf-paths <files...>',
    description: "run-entry files (HOCON); else the workspace's suites",
  },
  { flags: '-r, --run-entries <entries...>', description: 'run entries, e.g. "pubmed_qa:model=…"' },
  { flags: '--models-to-run <models...>', description: 'only these models or deployments' },
  { flags: '--groups-to-run <groups...>', description: 'only benchmarks of these groups' },
  { flags: '--priority <number>', description: 'drop entries with a greater priority number' },
  {
    flags: '-m, --max-eval-instances <count>',
    description: 'evaluated instances of each run',
    shownDefault: 'medmake.yaml, else 1000',
  },
  {
    flags: '-t, --num-train-trials <count>',
    description: 'trials with different in-context examples',
    shownDefault: 'medmake.yaml, else as the entry says, else 1',
  },
  SUITE_FLAG,
]

export const OUTPUT_FLAG: Flag = {
  flags: '-o, --output-path <folder>',
  description: 'where results go',
  shownDefault: 'benchmark_output',
}

const LOCAL_PATH_FLAG: Flag = {
  flags: '--local-path <folder>',
  description: 'model_deployments.yaml, model_metadata.yaml, credentials.conf',
  shownDefault: 'prod_env',
}

/** What a session finds its parts by, but for its store. */
export const STORELESS_FLAGS: readonly Flag[] = [
  LOCAL_PATH_FLAG,
  { flags: '--mirror <folder>', description: 'take dataset URLs from this folder, use no network for them' },
  {
    flags: '--profile <name>',
    description: `the dialect in which replies and scores are read: ${PROFILES.join(', ')}`,
    shownDefault: 'medmake.yaml, else helm-0.5.16',
  },
  {
    flags: '--errata <how>',
    description: "known faults of benchmarks: 'reproduced' as HELM has them, or 'corrected'",
    shownDefault: 'medmake.yaml, else reproduced',
  },
  {
    flags: '--skip-bad-rows',
    description: "leave out rows of data sets that can't be used, and tell them",
    shownDefault: 'medmake.yaml, else the run ends there',
  },
]

export const SESSION_FLAGS: readonly Flag[] = [
  { flags: '--store <folder>', description: 'the cache', shownDefault: 'cache/store' },
  ...STORELESS_FLAGS,
]

export const MAX_USD_FLAG: Flag = {
  flags: '--max-usd <dollars>',
  description:
    'make no call whose prompt and max_tokens could take the cost above this; exit with 4 there, run again to go on',
  shownDefault: 'budget.max_usd in medmake.yaml, else no cap',
}

export const JSON_FLAG: Flag = { flags: '--json', description: 'print one JSON object' }

export const TIER_FLAG: Flag = {
  flags: '--tier <place>',
  description: 'share what is paid for with other machines: a folder that all reach, or s3://bucket/prefix',
  shownDefault: 'store.tier of medmake.yaml',
}
