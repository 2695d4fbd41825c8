import type { ComponentChildren, JSX } from 'preact'
import {
  CAUSE_ORDER,
  type ChangeCause,
  type CellPair,
  type ChangedCell,
  type ReleaseDiff,
} from '../../history/diff-releases.ts'
import { answersOf } from '../../history/moved-by.ts'
import type { Snapshot, SnapshotModel } from '../../history/snapshot.ts'
import { formatValue, plural } from '../../../../cache/words/number-text.ts'
import { inWords } from '../../content/metric-label.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactDifference, exactDifferences, exactP, exactValue } from '../../components/exact.tsx'
import { visibleText } from '../../visible-text.ts'
import type { ReleaseLinks } from './page.tsx'
import { largestOf } from './verdict.ts'

interface LinkedProps {
  readonly links: ReleaseLinks
}

const ModelLink = ({
  model: { deployment, label },
  links,
}: LinkedProps & { readonly model: Pick<SnapshotModel, 'deployment' | 'label'> }): JSX.Element => (
  <a href={links.model(deployment)}>{visibleText(label)}</a>
)

export const MovedTable = ({ diff, links }: LinkedProps & { readonly diff: ReleaseDiff }): JSX.Element => (
  <DataTable
    label="What moved"
    head={[
      'Model',
      ...numeric('Place before', 'Place now', 'Win rate before', 'Win rate now', 'Change'),
      'Not the same',
      'Price, $ per million in / out',
    ]}
    rows={[
      ...diff.moved.map((model) => movedRow(model, diff.releases, links)),
      ...diff.gone.map((before) => [
        visibleText(before.label),
        String(before.place ?? '–'),
        'gone',
        rateOf(diff.releases.before, before),
        '–',
        '–',
        '–',
        '–',
      ]),
    ]}
  />
)

const movedRow = (
  { now, before, causes }: ReleaseDiff['moved'][number],
  releases: ReleaseDiff['releases'],
  links: ReleaseLinks,
): readonly ComponentChildren[] => [
  <ModelLink model={now} links={links} />,
  before === undefined ? 'new' : String(before.place ?? '–'),
  String(now.place ?? '–'),
  before === undefined ? '–' : rateOf(releases.before, before),
  rateOf(releases.now, now),
  exactDifference(before?.winRate == null || now.winRate === null ? null : now.winRate - before.winRate),
  before === undefined ? '–' : causesText(causes),
  priceText(before, now),
]

/** A win rate, and on how many benchmarks where others are compared on more. */
export const rateOf = (release: Snapshot, model: SnapshotModel): ComponentChildren => (
  <>
    {exactValue(model.winRate)}
    {ratedOn(release, model)}
  </>
)

/** What moved each win rate, in parts that add up; nothing where the releases do not tell. */
export const PartsTable = ({
  diff: { parts, moved },
  links,
}: LinkedProps & { readonly diff: ReleaseDiff }): JSX.Element | null =>
  parts === undefined || [...parts.parts.values()].flat().every((part) => part === 0) ? null : (
    <>
      <h3>What the changes are made of</h3>
      <p>
        Shapley values: what each cause moves a win rate, on average over all orders in which they could have
        come. They add up to the change. Bold: the largest.
      </p>
      <DataTable
        label="Parts of the changes"
        head={['Model', ...numeric('Change', ...parts.causes.map(inWords))]}
        rows={moved.flatMap(({ now }) => {
          const own = parts.parts.get(now.deployment)
          if (own === undefined) return []
          const largest = largestOf(own)
          return [
            [
              <ModelLink model={now} links={links} />,
              exactDifference(own.reduce((sum, part) => sum + part, 0)),
              ...own.map((part, at) =>
                at === largest ? <b>{exactDifference(part)}</b> : exactDifference(part),
              ),
            ],
          ]
        })}
      />
    </>
  )

const causesText = (causes: ReadonlyMap<ChangeCause, number>): string =>
  CAUSE_ORDER.flatMap((cause) => {
    const count = causes.get(cause)
    return count === undefined ? [] : [`${cause} (${plural(count, 'benchmark')})`]
  }).join(', ') || 'nothing recorded'

const plainPrice = (usd: number): string => String(Number(usd.toPrecision(6)))

const priceText = (before: SnapshotModel | undefined, now: SnapshotModel): string => {
  const told = (model: SnapshotModel | undefined): string =>
    model?.price == null
      ? 'not known'
      : `${plainPrice(model.price.input)} / ${plainPrice(model.price.output)}`
  const [old, own] = [told(before), told(now)]
  return before === undefined || old === own ? own : `${old} → ${own}`
}

interface CellsProps extends LinkedProps {
  readonly cells: readonly ChangedCell[]
  readonly now: Snapshot
  readonly label: string
}

export const CellsTable = ({ cells, now, links, label }: CellsProps): JSX.Element => (
  <DataTable
    label={label}
    head={[
      'Model',
      'Benchmark',
      ...numeric('Before', 'Now', 'Change', '95 % interval', 'p', 'p (Holm)'),
      'Decided',
      'Not the same',
    ]}
    rows={cells.map((cell) => [
      <ModelLink model={cell.model} links={links} />,
      <a href={links.benchmark(cell.benchmark)}>{labelOf(now, cell.benchmark)}</a>,
      exactValue(cell.from),
      exactValue(cell.to),
      exactDifference(cell.difference),
      exactDifferences(cell.interval),
      exactP(cell.p),
      exactP(cell.holm),
      wayText(cell),
      cell.causes.join(', ') || (cell.difference === 0 ? '–' : answersOf(cell.now)),
    ])}
  />
)

/** Which way a score was decided. */
const wayText = ({ way, counts, reason, before, now }: ChangedCell): string => {
  if (counts === undefined) return way === 'same' ? 'same answers' : `unpaired: ${reason}`
  const { asked, shared, common } = counts
  const of = shared === asked ? plural(shared, 'instance') : `${shared} of ${plural(asked, 'instance')}`
  return [
    `paired, ${of}`,
    ...(common < shared ? [`${shared - common} unread`] : []),
    ...(reason === '' ? [] : [reason]),
    ...(shared === asked
      ? []
      : [`over all ${formatValue(before.score ?? 0)} → ${formatValue(now.score ?? 0)}`]),
  ].join(', ')
}

const labelOf = ({ benchmarks }: Snapshot, name: string): string =>
  visibleText(benchmarks.find((each) => each.name === name)?.label ?? name)

/** What each benchmark's releases do not have in common. */
export const ConditionsTable = ({
  diff,
  now,
  links,
}: LinkedProps & { readonly diff: ReleaseDiff; readonly now: Snapshot }): JSX.Element => {
  const others = diff.otherMeasures.map((other) => [
    <a href={links.benchmark(other.name)}>{labelOf(now, other.name)}</a>,
    'metric',
    plural(diff.pairs.filter(({ benchmark }) => benchmark === other.name).length, 'model'),
    visibleText(other.before),
    visibleText(other.now),
  ])
  const causes = now.benchmarks.flatMap(({ name }) =>
    CAUSE_ORDER.flatMap((cause) => {
      const touched = diff.pairs.filter((pair) => pair.benchmark === name && pair.causes.includes(cause))
      const [first] = touched
      if (first === undefined) return []
      return [
        [
          <a href={links.benchmark(name)}>{labelOf(now, name)}</a>,
          cause,
          plural(touched.length, 'model'),
          ...conditionText(cause, touched),
        ],
      ]
    }),
  )
  const rows = [...others, ...causes]
  return rows.length === 0 ? (
    <p>
      Of the scores that both have, data, {diff.areProtocolsKnown ? 'protocols, profiles, ' : ''}juries, model
      versions and errata are the same
      {diff.pairs.some(({ before, now: own }) => before.score !== own.score)
        ? ': what moved are answers, or verdicts of the same judges.'
        : '.'}
    </p>
  ) : (
    <DataTable
      label="What was not the same"
      head={['Benchmark', 'What', ...numeric('Of'), 'Before', 'Now']}
      rows={rows}
    />
  )
}

const conditionText = (cause: ChangeCause, cells: readonly CellPair[]): readonly [string, string] => {
  const of = (which: 'before' | 'now'): string => {
    const values = cells.map((cell) => {
      const { data, protocol, served, errata, profiles = [], judgedBy = [] } = cell[which]
      if (cause === 'data') return data
      if (cause === 'protocol') return protocol
      const jury = cell[which].jury.map((judge, at) =>
        [judge, ...judgedBy.slice(at, at + 1).filter((asked) => asked !== judge)].join(': '),
      )
      const lists = { profile: profiles, jury, 'model version': served, errata }
      return lists[cause].join(', ') || 'none'
    })
    return visibleText([...new Set(values)].join('; '))
  }
  return [of('before'), of('now')]
}

/** ` (3/9)` behind a win rate that is over 3 of the 9 benchmarks that others are compared on; as far as the file tells. */
const ratedOn = ({ benchmarks, models }: Snapshot, { cells, winRate }: SnapshotModel): string => {
  const isScored = (own: SnapshotModel['cells'], at: number): boolean => (own[at]?.score ?? null) !== null
  const compared = benchmarks.flatMap(({ lowerIsBetter }, at) =>
    lowerIsBetter !== undefined && models.filter((model) => isScored(model.cells, at)).length > 1 ? [at] : [],
  )
  const own = compared.filter((at) => isScored(cells, at)).length
  return winRate === null || own === compared.length ? '' : ` (${own}/${compared.length})`
}
