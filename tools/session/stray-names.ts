import { catalogEntries } from '../../benchmarks/lookup/find.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { BUILT_IN_SUITES, isBuiltIn, listSuites } from './suites.ts'
import type { Session } from './session.ts'

/** A name in medmake.yaml that is nobody's, and what to do about it. */
export interface StrayName {
  readonly message: string
  readonly remedy: string
}

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
): Promise<readonly StrayName[]> => {
  const deployments = registry.deployments.map(({ name }) => name)
  const benchmarks = [
    ...(await catalogEntries({ workspace: root })).map(({ name }) => name),
    ...asked.benchmarks,
  ]
  const suites = [...(await listSuites(root)).keys(), ...BUILT_IN_SUITES, ...asked.suites]
  const errata = typeof config.errata === 'string' ? {} : config.errata
  const settings: readonly (readonly [
    setting: string,
    of: object,
    kind: string,
    known: readonly string[],
  ])[] = [
    ['data_agreements', config.data_agreements, 'deployment', deployments],
    ['budget.deployments', config.budget?.deployments ?? {}, 'deployment', deployments],
    ['margins', config.margins, 'benchmark', benchmarks],
    ['errata', errata, 'benchmark', benchmarks],
    ['suites', config.suites, 'suite', suites],
  ]
  return settings.flatMap(([setting, of, kind, known]) =>
    Object.keys(of)
      .filter((name) => !known.includes(name) && !(kind === 'suite' && isBuiltIn(name)))
      .map((name) => ({
        message: `medmake.yaml, ${setting}: there is no ${kind} ${JSON.stringify(name)} here, so what it says of it holds for nobody`,
        remedy: `${suggestion(name, known)}Correct the name, or take it out.`,
      })),
  )
}
