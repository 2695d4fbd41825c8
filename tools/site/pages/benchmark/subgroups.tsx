import type { JSX } from 'preact'
import type { SubgroupRow, Subgroups } from '../../../../targets/board/board-subgroups.ts'
import { LEAST } from '../../../../targets/board/withhold-small.ts'
import { formatCount, formatDifference, plural } from '../../../../cache/words/number-text.ts'
import { exactDifference, exactDifferences, exactRange, exactValue } from '../../components/exact.tsx'
import { inWords } from '../../content/metric-label.ts'
import { Folded } from '../../components/folded.tsx'
import { extent } from 'd3-array'
import { linearAxis } from '../../components/plot/axis.ts'
import { DataTable, numeric, type DataCell } from '../../components/data-table.tsx'
import { MARK_PIXELS } from '../../components/plot/mark.tsx'
import { SUB_SPLIT } from '../../../../targets/runs/instance-vector.ts'
import type { Scale } from '../../../../targets/statistics/scale.ts'
import { visibleText } from '../../visible-text.ts'

interface BySubgroupProps {
  readonly subgroups: readonly Subgroups[]
  /** A deployment's name on the board, which leads to its page. */
  readonly linkOf: (deployment: string) => JSX.Element
  readonly scale: Scale
  /** Address of the file that has all of them. */
  readonly file: string
}

/** Every model's score by each attribute of the instances; nothing where none is declared. */
export const BySubgroup = ({ subgroups, linkOf, scale, file }: BySubgroupProps): JSX.Element | null =>
  subgroups.length === 0 ? null : (
    <>
      <h2 id="subgroups">Subgroups</h2>
      <p>
        Means over the instances of a group, with 95 % intervals each on its own. {GAPS}{' '}
        <a href={file}>All of them as CSV</a>
      </p>
      {subgroups.map((each) => (
        <section key={each.attribute}>
          <h3>{attributeName(each.attribute)}</h3>
          <Folded
            rows={each.groups.length * each.rows.length}
            summary={`${plural(each.groups.length, 'group')}, ${plural(each.rows.length, 'model')}`}
          >
            <GroupFigure of={each} linkOf={linkOf} scale={scale} />
          </Folded>
          <GapFigure of={each} linkOf={linkOf} />
          <SurestGaps of={each} linkOf={linkOf} />
          <Withheld withheld={each.withheld} />
          {each.rows.some(({ scores }) => scores.includes(null)) ? <NotTold /> : null}
        </section>
      ))}
    </>
  )

interface OneAttribute extends Pick<BySubgroupProps, 'linkOf'> {
  readonly of: Subgroups
}

const GroupFigure = ({
  of: { attribute, groups, rows },
  linkOf,
  scale,
}: OneAttribute & Pick<BySubgroupProps, 'scale'>): JSX.Element => (
  <DataTable
    label={`Scores by ${attributeName(attribute).toLowerCase()}`}
    groups={attributeName(attribute)}
    head={[
      'Model',
      { text: 'Mean', axis: linearAxis({ from: scale.low, to: scale.high }, MARK_PIXELS) },
      ...numeric('Value', '95 % interval', 'n', 'Asked'),
    ]}
    rows={groups.flatMap((group, at): readonly (readonly DataCell[])[] => [
      [groupName(group)],
      ...rows.map((row): readonly DataCell[] => {
        const score = row.scores[at] ?? null
        return [
          linkOf(row.deployment),
          score?.value == null ? [] : [{ value: score.value, interval: score.interval }],
          exactValue(score?.value),
          exactRange(score?.interval),
          score === null ? '–' : formatCount(score.n),
          score === null ? '–' : formatCount(score.asked),
        ]
      }),
    ])}
  />
)

const GapFigure = ({ of: { attribute, groups, rows }, linkOf }: OneAttribute): JSX.Element | null => {
  const gaps = rows.flatMap(({ widest }) => widest ?? [])
  const ends = gaps.flatMap(({ difference, interval }) => [
    difference,
    interval?.low ?? 0,
    interval?.high ?? 0,
  ])
  const [from = 0, to = 1] = extent([0, ...ends])
  return gaps.length === 0 ? null : (
    <DataTable
      label={`Widest gaps by ${attributeName(attribute).toLowerCase()}`}
      head={[
        'Model',
        { text: 'Widest gap', axis: linearAxis({ from, to }, MARK_PIXELS), line: 0 },
        ...numeric('Difference', 'All gaps at once'),
        'Higher on',
        'Lower on',
      ]}
      rows={rows.map(({ deployment, widest }): readonly DataCell[] => [
        linkOf(deployment),
        widest === null
          ? []
          : [
              {
                value: widest.difference,
                interval: widest.interval,
                isHollow: widest.interval === null || widest.interval.low <= 0,
              },
            ],
        exactDifference(widest?.difference),
        exactDifferences(widest?.interval),
        widest === null ? '–' : groupName(groups[widest.high] ?? ''),
        widest === null ? '–' : groupName(groups[widest.low] ?? ''),
      ])}
    />
  )
}

/** Where another gap than the widest is the one that is surest to be there. */
const SurestGaps = ({ of: { groups, rows }, linkOf }: OneAttribute): JSX.Element | null => {
  const others = rows.flatMap(({ deployment, widest, surest }) =>
    surest === null || (widest?.high === surest.high && widest.low === surest.low)
      ? []
      : [{ deployment, surest }],
  )
  return others.length === 0 ? null : (
    <ul>
      {others.map(({ deployment, surest }) => (
        <li key={deployment}>
          {linkOf(deployment)}: surest is {gapText(groups, surest)} ({rangeOfGap(surest)}).
        </li>
      ))}
    </ul>
  )
}

export const GAPS = `A gap is between two groups of ${LEAST} instances and more; its interval holds for all gaps of the table at once, so one that leaves out 0 is no accident of having looked at many.`

export const Withheld = ({ withheld }: { readonly withheld: number }): JSX.Element | null =>
  withheld === 0 ? null : (
    <p class="note">
      {plural(withheld, 'group')} of this benchmark, which is not public, {withheld === 1 ? 'is' : 'are'}{' '}
      withheld: they hold too few instances, or would tell of a group that does.
    </p>
  )

/** What a row without numbers means. */
export const NotTold = (): JSX.Element => (
  <p class="note">
    –: the model was asked none of the group, or the benchmark is not public and so few of its answers were
    measured that they would tell of single instances.
  </p>
)

type Gap = NonNullable<SubgroupRow['widest']>

/** `+0.120 male over female` */
export const gapText = (groups: readonly string[], { high, low, difference }: Gap): string =>
  `${formatDifference(difference)} ${groupName(groups[high] ?? '')} over ${groupName(groups[low] ?? '')}`

export const rangeOfGap = ({ interval }: Gap): string =>
  interval === null ? '–' : `${formatDifference(interval.low)} to ${formatDifference(interval.high)}`

export const groupName = (group: string): string => (group === '' ? 'not stated' : visibleText(group))

/** `calculator_type` → `Calculator type` */
export const attributeName = (attribute: string): string =>
  inWords(attribute === SUB_SPLIT ? 'sub-split' : attribute)
