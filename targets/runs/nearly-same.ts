import { groupBy } from '../../cache/lists.ts'
import { isShown, LEAST_INSTANCES } from '../access/suppress-small.ts'
import { scenarioOf, type Built } from './board-metric.ts'

/** A run that a release of before tells a score of. */
export interface ToldBefore {
  readonly by: string
  readonly name: string
  /** Evaluated instances, once a trial. */
  readonly rows: number
}

/**
 * Told before they are published: scores of a restricted benchmark in two suites, of sets that differ by few instances. Samples
 * of different size are each within the greater one, so that n times the mean tells the sum of what is between them; and so
 * they are within what a release of before was asked, where rows came or went since.
 */
export const nearlySame = (
  runs: readonly (Pick<Built, 'suite'> & {
    readonly record: Pick<Built['record'], 'rows'>
    readonly target: {
      readonly spec: Pick<Built['target']['spec'], 'name' | 'benchmark'> & {
        readonly adapter: Pick<Built['target']['spec']['adapter'], 'numTrainTrials'>
      }
    }
  })[],
  earlier: readonly ToldBefore[] = [],
): readonly string[] => {
  const closed = runs.filter(({ target }) => !isShown(target.spec.benchmark))
  const lines = [...groupBy(closed, ({ target }) => target.spec.name)].flatMap(([name, own]) => {
    const sideOf = (by: string, rows: number): Side => ({
      by,
      size: rows / (own[0]?.target.spec.adapter.numTrainTrials ?? 1),
    })
    const now = own.map(({ suite, record }) => sideOf(suite, record.rows)).toSorted((x, y) => y.size - x.size)
    const before = earlier.filter((each) => each.name === name).map(({ by, rows }) => sideOf(by, rows))
    return [
      ...now.flatMap((less, at) => lineOf(name, [now[at - 1] ?? less, less], '')),
      // Rows may be others altogether by now.
      ...now.flatMap((one) =>
        before.flatMap((other) => lineOf(name, [one, other], ', where these are among those,')),
      ),
    ]
  })
  return [...new Set(lines)]
}

interface Side {
  readonly by: string
  /** Instances. */
  readonly size: number
}

const lineOf = (name: string, [one, other]: readonly [Side, Side], where: string): readonly string[] => {
  const [more, less] = one.size > other.size ? [one, other] : [other, one]
  const between = more.size - less.size
  // Of too few instances nothing is told.
  if (between === 0 || between >= LEAST_INSTANCES || less.size < LEAST_INSTANCES) return []
  return [
    `${more.by} and ${less.by} tell scores of ${scenarioOf(name)} of ${more.size} and ${less.size} instances, and so${where} what the ${between} between them scored. Publish one, or let them differ by ${LEAST_INSTANCES} or more.`,
  ]
}
