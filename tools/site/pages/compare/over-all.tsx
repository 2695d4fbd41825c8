import type { JSX } from 'preact'
import type { ComparedModels } from '../../../../targets/compare/compare-models.ts'
import type { PairDifference } from '../../../../targets/statistics/paired/pair-difference.ts'
import { couldTurn } from '../../../../targets/statistics/missing/could-turn.ts'
import { FEWEST_BENCHMARKS } from '../../../../targets/statistics/benchmarks/like-these.ts'
import {
  formatCost,
  formatCount,
  formatDifference,
  formatP,
  formatPoints,
  formatSeconds,
  formatValue,
  listText,
  plural,
  orDash,
} from '../../../../cache/words/number-text.ts'
import { Choice } from '../../components/choice.tsx'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactDifference, exactDifferences, exactP, exactValue } from '../../components/exact.tsx'
import { isolated } from '../leaderboard/isolated.ts'
import type { CompareData } from './compare-data.ts'
import { Forest, markText } from './forest.tsx'
import { countBetter, forestRows, ordered, type Better, type ForestRow } from './forest-rows.ts'
import type { ChosenModels, CompareState } from './state.ts'
import { ALPHA } from '../../../../targets/statistics/scale.ts'

export interface PartProps {
  readonly data: CompareData
  readonly chosen: ChosenModels
  readonly state: CompareState
  readonly change: (some: Partial<CompareState>) => void
  readonly root: string
}

interface OverAllProps extends PartProps {
  readonly found: ComparedModels
}

/** Two models over all benchmarks that both were run on: what follows, the differences one by one, and by category. */
export const OverAll = ({ data, chosen, found, state, change, root }: OverAllProps): JSX.Element => {
  const rows = forestRows(data, found)
  const [a, b] = [chosen.a, chosen.b].map((place) => data.models[place])
  const labels = [isolated(a?.label ?? ''), isolated(b?.label ?? '')] as const
  const sorted = ordered(rows, state.order)
  if (rows.length === 0) return <p class="warning">These two share no benchmark whose values are at hand.</p>
  return (
    <>
      <section class="compared" aria-labelledby="compared">
        <h2 id="compared">{headOf(found, labels)}</h2>
        <p>{countsText(rows, labels)}</p>
        <p class="detail">
          {[averageText(found, data), winsText(found), spentText(data, chosen)].filter(Boolean).join(' ')}
        </p>
      </section>
      <div class="compared-parts">
        <section aria-labelledby="differences-title">
          <div class="section-head">
            <h2 id="differences-title">Paired differences</h2>
            <Choice
              label="Order"
              value={state.order}
              options={[
                ['difference', 'By difference'],
                ['category', 'By category'],
                ['instances', 'By instances'],
              ]}
              onChange={(order) => change({ order })}
            />
          </div>
          <Forest rows={sorted} root={root} labels={labels} />
          <p class="detail">
            B − A in hundredths of the scale, turned so that more is better, on the instances both have; 95 %
            intervals one at a time. Filled: the difference stands after Holm’s adjustment for all that are
            tested. Dotted: not measured in full. Of gated and private benchmarks only numbers are told.
          </p>
          <details>
            <summary>The numbers of the figure</summary>
            <DifferenceTable rows={sorted} root={root} />
          </details>
        </section>
        <section aria-labelledby="categories-title">
          <h2 id="categories-title">By category</h2>
          <GroupTable found={found} rows={rows} />
        </section>
      </div>
    </>
  )
}

const headOf = ({ all }: ComparedModels, [a, b]: readonly [string, string]): string => {
  if (all === null || all.p === null || all.difference === null) return 'No test over all benchmarks together'
  // Of what decides: where runs miss something unevenly, the mean of what both have may point elsewhere.
  if (all.p < ALPHA) return `${(all.bounds?.low ?? all.difference) > 0 ? b : a} is ahead on average`
  // A reply or two that are unread leave a difference on its side, and its doubt is that of few instances.
  return all.bounds !== null && couldTurn(all.bounds)
    ? 'Inconclusive: what could not be read could turn the order'
    : 'Neither is ahead beyond doubt'
}

const countsText = (rows: readonly ForestRow[], [a, b]: readonly [string, string]): string => {
  const counts = countBetter(rows)
  const decided = counts.a + counts.b + counts.neither + counts.inconclusive
  const rest = [
    ...(counts.inconclusive === 0 ? [] : [`inconclusive on ${counts.inconclusive}`]),
    ...(counts.unranked === 0 ? [] : [`${counts.unranked} not measured in full for one of them or both`]),
    ...(counts.untested === 0 ? [] : [`${counts.untested} not tested`]),
  ]
  return `${a} is better on ${counts.a}, ${b} on ${counts.b}, no difference found on ${counts.neither} of ${plural(decided, unitOf(rows))}${rest.length === 0 ? '' : `; ${listText(rest)}`}.`
}

/** A benchmark may have several runs. */
const unitOf = (rows: readonly ForestRow[]): string =>
  new Set(rows.map(({ href }) => href)).size === rows.length ? 'benchmark' : 'run'

const intervalText = (
  { interval }: Pick<PairDifference, 'interval'>,
  text: (value: number) => string = formatDifference,
): string => (interval === null ? 'no interval' : `${text(interval.low)} to ${text(interval.high)}`)

const hundredths = (share: number): string => formatPoints(100 * share)

const averageText = ({ all, averaged, leftOut, scenarios }: ComparedModels, data: CompareData): string => {
  if (all === null || all.difference === null) return ''
  const labelOf = (benchmark: string): string => {
    const { scenario } = scenarios.find((each) => each.benchmark === benchmark) ?? {}
    const { benchmark: place = -1 } = data.scenarios.find(({ key }) => key === scenario) ?? {}
    return data.benchmarks[place]?.label ?? ''
  }
  const others = leftOut.map(({ benchmark, reason }) => `${labelOf(benchmark)} (${reason})`)
  return (
    `On average over ${plural(averaged, 'benchmark')} B − A is ${hundredths(all.difference)} hundredths of the scale ` +
    `(${intervalText(all, hundredths)}${all.p === null ? '' : `, p ${formatP(all.p)}`}).` +
    (others.length === 0 ? '' : ` Left out: ${listText(others)}.`)
  )
}

const winsText = ({ wins }: ComparedModels): string => {
  if (wins === undefined) return ''
  const { winRateA, winRateB, onThese, likeThese, benchmarks } = wins
  const further =
    likeThese === null
      ? benchmarks < FEWEST_BENCHMARKS
        ? ' Too few benchmarks to speak of others like them.'
        : ''
      : ` On benchmarks like these B − A ${intervalText({ interval: likeThese })}.`
  return `Win rate against each other: A ${formatValue(winRateA)}, B ${formatValue(winRateB)} over ${plural(benchmarks, 'benchmark')}, on the instances that both have in full (B − A ${intervalText({ interval: onThese })} on these).${further}`
}

const spentText = ({ models }: CompareData, { a, b }: ChosenModels): string => {
  const [left, right] = [models[a], models[b]]
  const cost = (usd: number | null | undefined): string => (usd == null ? 'not known' : formatCost(usd))
  const time = (seconds: number | null | undefined): string =>
    seconds == null ? 'not known' : formatSeconds(seconds)
  const isPriced = left?.usdPerThousand != null || right?.usdPerThousand != null
  const isTimed = left?.latency != null || right?.latency != null
  return [
    ...(isPriced
      ? [`Per 1,000 answers A costs ${cost(left?.usdPerThousand)}, B ${cost(right?.usdPerThousand)}.`]
      : []),
    ...(isTimed ? [`An answer takes ${time(left?.latency)} of A, ${time(right?.latency)} of B.`] : []),
  ].join(' ')
}

const BETTER: Readonly<Record<Better, string>> = {
  a: 'A',
  b: 'B',
  neither: 'no difference found',
  inconclusive: 'inconclusive',
  unranked: 'not measured in full',
  untested: 'not tested',
}

const DifferenceTable = ({
  rows,
  root,
}: {
  readonly rows: readonly ForestRow[]
  readonly root: string
}): JSX.Element => (
  <DataTable
    label="Paired differences in numbers"
    head={['Benchmark', 'Metric', ...numeric('n', 'A', 'B', 'B − A', '95 % interval', 'p', 'Holm'), 'Better']}
    rows={rows.map((row) => {
      const found = row.found ?? row.unranked
      return [
        <a key={row.key} href={root + row.href} title={markText(row)}>
          {row.label}
        </a>,
        row.metric,
        formatCount(row.n),
        exactValue(found?.meanA),
        exactValue(found?.meanB),
        exactDifference(found?.difference),
        exactDifferences(row.found?.interval),
        exactP(row.found?.p),
        exactP(row.found?.holm),
        BETTER[row.better],
      ]
    })}
  />
)

const GroupTable = ({
  found: { groups },
  rows,
}: {
  readonly found: ComparedModels
  readonly rows: readonly ForestRow[]
}): JSX.Element => (
  <>
    <DataTable
      label="Differences by category"
      head={['Category', ...numeric('A', 'Neither', 'B', 'Open', 'B − A × 100', '95 % interval', 'Holm')]}
      rows={groups.map(({ group, result }) => {
        const counts = countBetter(rows.filter(({ category }) => category === group))
        return [
          group,
          formatCount(counts.a),
          formatCount(counts.neither),
          formatCount(counts.b),
          formatCount(counts.inconclusive + counts.unranked + counts.untested),
          orDash(result?.difference, hundredths),
          result === null ? '–' : intervalText(result, hundredths),
          exactP(result?.holm),
        ]
      })}
    />
    <p class="detail">
      A, B: on how many it is better. Open: inconclusive, not measured in full, or not tested. Benchmarks of a
      category count the same, each as a share of its scale.
    </p>
  </>
)
