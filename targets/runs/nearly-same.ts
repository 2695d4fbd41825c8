import { groupBy } from '../../cache/lists.ts'
import { isShown, LEAST_INSTANCES } from '../access/suppress-small.ts'
import { scenarioOf, type Built } from './board-metric.ts'

/**
 * Told before they are published: scores of a restricted benchmark in two suites, of sets that differ by few instances. Samples
 * of different size are each within the greater one, so that n times the mean tells the sum of what is between them.
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
): readonly string[] => {
  const closed = runs.filter(({ target }) => !isShown(target.spec.benchmark))
  const lines = [...groupBy(closed, ({ target }) => target.spec.name)].flatMap(([name, own]) => {
    const sorted = own
      .map(({ suite, record, target }) => ({ suite, size: record.rows / target.spec.adapter.numTrainTrials }))
      .toSorted((x, y) => y.size - x.size)
    return sorted.flatMap((less, index) => {
      const more = sorted[index - 1] ?? less
      const between = more.size - less.size
      if (between === 0 || between >= LEAST_INSTANCES) return []
      return [
        `${more.suite} and ${less.suite} tell scores of ${scenarioOf(name)} of ${more.size} and ${less.size} instances, and so what the ${between} between them scored. Publish one, or let them differ by ${LEAST_INSTANCES} or more.`,
      ]
    })
  })
  return [...new Set(lines)]
}
