import { ProblemError } from '../../../cache/problems/problem.ts'
import type { FlagValues } from '../verb.ts'

/** HELM's flags that have no counterpart, each with what to do instead. */
const INSTEAD: Readonly<Record<string, readonly [flag: string, remedy: string]>> = {
  disableCache: ['--disable-cache', 'Point --store at an empty folder to begin without earlier results.'],
  skipInstances: ['--skip-instances', 'Use --dry-run to see what would run.'],
  cacheInstancesOnly: ['--cache-instances-only', 'Use --dry-run; instances are cached by every run.'],
  serverUrl: ['--server-url', 'Declare the server as a deployment in model_deployments.yaml.'],
  apiKeyPath: ['--api-key-path', 'Put keys into prod_env/credentials.conf or the environment.'],
  mongoUri: ['--mongo-uri', 'Share the folder that --store names instead.'],
  runnerClassName: ['--runner-class-name', 'Leave it out.'],
  plugins: ['--plugins', 'A benchmark is a folder in benchmarks/, a model an entry in models/.'],
  logConfig: ['--log-config', 'Use --json for machine-readable results.'],
}

/** @throws ProblemError `cli/unsupported-flag`: a flag that would silently do nothing is worse than none */
export const refuseUnsupported = (flags: FlagValues): void => {
  const problems = Object.entries(INSTEAD)
    .filter(([name]) => flags[name] !== undefined)
    .map(([, [flag, remedy]]) => ({
      code: 'cli/unsupported-flag',
      message: `${flag} is not supported`,
      where: { field: flag },
      remedy,
    }))
  if (problems.length > 0) throw new ProblemError(problems)
}
