import { toolVersion } from '../../release/tool-version.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import { digestOf, type Digest } from '../../../cache/values/digest.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { declarationKey } from '../../../targets/keys/keys.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { Profile } from '../../../targets/profile.ts'
import type { SuiteTarget } from '../../session/resolve-targets.ts'
import { pairName, slug, type PairName } from './pair-name.ts'

/** A (model, scenario) pair and the suites that hold it. */
export interface Pair extends PairName {
  /** Name of its Nx project. */
  readonly project: string
  readonly target: Target
  /** Run directories are by suite: `runs/<suite>/<run name>`. */
  readonly suites: readonly string[]
  /** Of all that its declarations say; the content of data files is not in it. */
  readonly key: Digest<'target'>
}

/**
 * Targets of all suites → pairs. A pair that stands in two suites is one project, unless the suites ask different
 * things of it (another number of instances, say): then the later suite's has the suite in its name.
 *
 * @throws ProblemError `nx/same-name`
 */
export const pairsOf = async (
  targets: readonly SuiteTarget[],
  profile: Profile,
): Promise<ReadonlyMap<string, Pair>> => {
  const version = await toolVersion()
  const pairs = new Map<string, Pair>()
  for (const { suite, target } of targets) {
    const key = await keyOf(target, profile, version)
    const name = pairName(target.spec)
    const first = pairs.get(projectOf(name))
    const own =
      first === undefined || first.key === key
        ? name
        : { ...name, scenario: `${name.scenario}--${slug(suite)}` }
    const project = projectOf(own)
    const known = pairs.get(project)
    if (known !== undefined && known.key !== key) throw sameName(project, known.target, target)
    pairs.set(project, { ...own, project, target, key, suites: [...(known?.suites ?? []), suite] })
  }
  return pairs
}

const projectOf = ({ model, scenario }: PairName): string => `${model}--${scenario}`

/**
 * Our own version is in it: readers of data carry versions that only the reading tells.
 * Plain JSON will do, as nothing but the next graph compares it: canonical JSON takes half the time of making a graph.
 */
const keyOf = async (target: Target, profile: Profile, version: string): Promise<Digest<'target'>> => {
  const { className, args } = target.spec.benchmark.scenario.spec
  const declared = declarationKey(target, profile)
  return digestOf(JSON.stringify([version, className, dumps(args), declared]))
}

const sameName = (project: string, first: Target, second: Target): ProblemError =>
  new ProblemError({
    code: 'nx/same-name',
    message: `${first.spec.name} and ${second.spec.name} would both be the project ${project}`,
    where: { file: second.deployment.file },
    remedy: 'Rename one of the two models or suites.',
  })
