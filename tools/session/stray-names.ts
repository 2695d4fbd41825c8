import type { Problem } from '../../cache/problems/problem.ts'
import { catalogEntries } from '../../benchmarks/lookup/find.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { BUILT_IN_SUITES, isBuiltIn, listSuites } from './suites.ts'
import type { Session } from './session.ts'

/** What a run asks for: its names are known, whatever file they come from. */
interface Asked {
  readonly suites: readonly string[]
  readonly benchmarks: readonly string[]
}

/**
 * Names that settings are made for and that nothing here has: such a cap, margin or agreement holds for nobody. They are
 * told and not refused: a deployment may be declared on another machine alone.
 */
export const strayNames = async (
  { workspace: { root, config }, registry }: Pick<Session, 'workspace' | 'registry'>,
  asked: Asked = { suites: [], benchmarks: [] },
): Promise<readonly Pick<Problem, 'message' | 'remedy'>[]> => {
  const settings = namedSettings(config)
  // Most workspaces name nobody: nothing is listed for them.
  if (settings.length === 0) return []
  const entries = await catalogEntries({ workspace: root })
  const known: Readonly<Record<Kind, readonly string[]>> = {
    deployment: registry.deployments.map(({ name }) => name),
    benchmark: [...entries.map(({ name }) => name), ...asked.benchmarks],
    suite: [...(await listSuites(root)).keys(), ...BUILT_IN_SUITES, ...asked.suites],
  }
  return settings
    .filter(({ kind, name }) => !known[kind].includes(name) && !(kind === 'suite' && isBuiltIn(name)))
    .map(({ setting, kind, name }) => ({
      message: `medmake.yaml, ${setting}: there is no ${kind} ${JSON.stringify(name)} here, so what it says of it holds for nobody`,
      remedy: `${suggestion(name, known[kind])}Correct the name, or take it out.`,
    }))
}

type Kind = 'deployment' | 'benchmark' | 'suite'

interface NamedSetting {
  readonly setting: string
  readonly kind: Kind
  readonly name: string
}

/** What medmake.yaml says of single deployments, benchmarks and suites. */
const namedSettings = ({
  data_agreements: agreements,
  budget,
  margins,
  errata,
  suites,
}: Session['workspace']['config']): readonly NamedSetting[] => {
  const of = (setting: string, kind: Kind, said: object): readonly NamedSetting[] =>
    Object.keys(said).map((name) => ({ setting, kind, name }))
  return [
    ...of('data_agreements', 'deployment', agreements),
    ...of('budget.deployments', 'deployment', budget?.deployments ?? {}),
    ...of('margins', 'benchmark', margins),
    ...of('errata', 'benchmark', typeof errata === 'string' ? {} : errata),
    ...of('suites', 'suite', suites),
  ]
}
