import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import { readJudges } from '../../../benchmarks/judges/judges.ts'
import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { readRunSpec } from '../../helm/read-run.ts'
import { parseBucket, type Bucket } from '../../release/import/bucket.ts'
import { fetchRuns } from '../../release/import/fetch-runs.ts'
import { findRuns } from '../../release/import/find-runs.ts'
import { withUnpacked } from '../../release/bundle/open-bundle.ts'
import { RELEASE_FILE } from '../../release/release-file.ts'
import { unchangedRelease } from '../../release/verify.ts'
import { importRun, type Imported } from '../../release/import/import-run.ts'
import { keepingFor } from '../../../targets/env/restricted-env.ts'
import type { Session } from '../../session/session.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import { boolFlag, countFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { runFilter } from '../common/run-filter.ts'
import { outputPathOf } from '../common/session-flags.ts'

/** Downloads at once unless --num-threads says otherwise. */
const PARALLEL = 8

/** `medmake release import`: HELM's published output, from a folder, a release's archive or a bucket. */
export const importAction = async (
  source: string,
  workspace: Workspace,
  invocation: Invocation,
): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const matches = runFilter(flags)
  const bucket = parseBucket(source)
  return withSession(invocation, { workspace }, async (session, stopper) => {
    if (bucket === undefined) {
      const take = async (folder: string): Promise<readonly Imported[]> => {
        if (existsSync(join(folder, RELEASE_FILE))) await unchangedRelease(folder)
        return importAll(await findRuns(folder, matches), session)
      }
      tell(await withUnpacked(resolve(cwd, source), take), invocation)
      return EXIT.done
    }
    const folder = join(outputPathOf(flags, cwd, workspace), 'imported')
    const directories = await fetchRuns(bucket, join(folder, placeIn(bucket)), {
      signal: stopper.stop,
      matches,
      parallel: countFlag(flags, 'numThreads') ?? PARALLEL,
    })
    tell(await importAll(directories, session), invocation)
    if (!boolFlag(flags, 'json')) print(`files in ${relative(cwd, folder)}`)
    return EXIT.done
  })
}

const tell = (runs: readonly Imported[], { flags, print }: Invocation): void => {
  if (boolFlag(flags, 'json')) print(JSON.stringify({ runs: runs.map(jsonOf) }))
  else for (const run of runs) print(lineOf(run))
}

/** Buckets of two hosts may share a name. */
const placeIn = ({ origin, name }: Bucket): string => join(new URL(origin).host.replaceAll(':', '_'), name)

const importAll = async (
  directories: readonly string[],
  { registry, env, benchmarks }: Session,
): Promise<readonly Imported[]> => {
  const { judges } = await readJudges(undefined, benchmarks)
  const runs: Imported[] = []
  const known = new Map((await listBenchmarks(benchmarks)).map(({ name, access }) => [name, access]))
  for (const directory of directories) {
    // What nothing here declares may be anybody's: its texts go to the vault.
    const access = known.get(await benchmarkIn(directory)) ?? 'private'
    const { store } = await keepingFor({ access }, env)
    runs.push(await importRun(directory, { registry, store, judges }))
  }
  return runs
}

/** By what the run says of itself (`pubmed_qa:model=a` → `pubmed_qa`): its folder may have any name. */
const benchmarkIn = async (directory: string): Promise<string> =>
  (await readRunSpec(directory)).name.split(/[:,]/)[0] ?? ''

const jsonOf = ({ name, completions, judgements, known, skipped }: Imported) => ({
  name,
  completions,
  judgements,
  known,
  skipped: Object.fromEntries(skipped),
})

const lineOf = ({ name, completions, judgements, known, skipped }: Imported): string =>
  [
    `${name}: ${completions} answers and ${judgements} judge replies imported, ${known} known before`,
    ...[...skipped].map(([reason, count]) => `  left out ${count}: ${reason}`),
  ].join('\n')
