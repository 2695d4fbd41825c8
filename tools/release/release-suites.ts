import type { ModelRegistry } from '../../models/registry/registry.ts'
import { boardUncertainty } from '../../targets/board/board-uncertainty.ts'
import { boardPairs } from '../../targets/board/board-pairs.ts'
import { boardSubgroups } from '../../targets/board/board-subgroups.ts'
import { siteSuite } from '../site/content/site-suite.ts'
import type { SiteSuite } from '../site/site.ts'
import { completeSubgroups, completeUncertainty } from '../../targets/board/complete-ranks.ts'
import type { SuiteRanking } from './ranking.ts'
import { releaseAbout } from './release-about.ts'
import { releasedRun, type HiddenValues } from './released-run.ts'
import type { RunCard } from './run-card.ts'
import { LEAST_INSTANCES } from '../../targets/access/suppress-small.ts'

export interface WithheldValues extends HiddenValues {
  readonly suite: string
  readonly run: string
}

interface ReleaseParts {
  /** In the suites' order. */
  readonly cards: readonly RunCard[]
  /** Models and prices of the release. */
  readonly registry: ModelRegistry
  /** What release says of doubt that rests on withheld values. */
  readonly ranking: ReadonlyMap<string, SuiteRanking>
  readonly withheld: readonly WithheldValues[]
}

/** The suites of a release as `medmake report` shows them, from the release's files alone. */
export const releaseSuites = async (
  bundle: string,
  suites: readonly string[],
  parts: ReleaseParts,
): Promise<readonly SiteSuite[]> => {
  const shown: SiteSuite[] = []
  for (const suite of suites)
    shown.push(
      await releaseSuite(bundle, suite, {
        ...parts,
        cards: parts.cards.filter((card) => card.suite === suite),
      }),
    )
  return shown
}

const releaseSuite = async (
  bundle: string,
  suite: string,
  { cards, registry, ranking, withheld }: ReleaseParts,
): Promise<SiteSuite> => {
  const hidden = withheld.filter((each) => each.suite === suite)
  const lacking = lackingOf(suite, { cards, withheld })
  const made = await siteSuite({
    suite,
    runs: await Promise.all(
      cards.map((card) =>
        releasedRun(
          bundle,
          card,
          registry,
          hidden.find(({ run }) => run === card.name),
        ),
      ),
    ),
    prices: registry.prices,
    uncertainty: (board, values) =>
      Promise.resolve(
        completeUncertainty(board, boardUncertainty(board, values), { told: ranking.get(suite), lacking }),
      ),
    // Differences may rest only on what the release holds, so that it can be built again from its files.
    pairs: (board, told) => Promise.resolve(boardPairs(board, told)),
    subgroups: (board, grouped) =>
      Promise.resolve(
        completeSubgroups(
          board,
          boardSubgroups(board, grouped, LEAST_INSTANCES),
          ranking.get(suite)?.subgroups ?? [],
        ),
      ),
  })
  return { ...made, ...(await releaseAbout(made.board, cards, registry)) }
}

/** Benchmarks of a suite of which a run's values are not at hand. */
export const lackingOf = (
  suite: string,
  { cards, withheld }: Pick<ReleaseParts, 'cards' | 'withheld'>,
): ReadonlySet<string> => {
  const known = new Set(withheld.filter((each) => each.suite === suite).map(({ run }) => run))
  return new Set(
    cards.flatMap((card) =>
      card.suite !== suite || card.withheld === null || known.has(card.name) ? [] : [card.benchmark.name],
    ),
  )
}
