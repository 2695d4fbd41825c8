import type { JSX } from 'preact'
import {
  LEAST,
  type SubgroupRow,
  type Subgroups,
  type SubgroupScore,
} from '../../../../targets/board/board-subgroups.ts'
import {
  formatCount,
  formatDifference,
  formatRange,
  formatValue,
  plural,
} from '../../../compare/number-text.ts'
import { DataTable } from '../../components/data-table.tsx'
import { IntervalBar } from '../../components/interval-bar.tsx'
import { SUB_SPLIT } from '../../../../targets/runs/record-groups.ts'
import { positionOn, type Scale } from '../../content/scale.ts'
import { visibleText } from '../../visible-text.ts'

interface BySubgroupProps {
  readonly subgroups: readonly Subgroups[]
  /** A deployment's name on the board. */
  readonly labelOf: (deployment: string) => string
  readonly scale: Scale
  /** Address of the file that has all of them. */
  readonly file: string
}

/** Every model's score by each attribute of the instances; nothing where none is declared. */
export const BySubgroup = ({ subgroups, labelOf, scale, file }: BySubgroupProps): JSX.Element | null =>
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
          <GroupTable of={each} labelOf={labelOf} scale={scale} />
          <SurestGaps of={each} labelOf={labelOf} />
          <Withheld withheld={each.withheld} />
        </section>
      ))}
    </>
  )

interface OneAttribute extends Pick<BySubgroupProps, 'labelOf'> {
  readonly of: Subgroups
}

const GroupTable = ({
  of: { attribute, groups, rows },
  labelOf,
  scale,
}: OneAttribute & Pick<BySubgroupProps, 'scale'>): JSX.Element => (
  <DataTable
    label={`Scores by ${attributeName(attribute).toLowerCase()}`}
    head={[
      { text: 'Model' },
      ...groups.map((group) => ({ text: groupName(group), number: true })),
      { text: 'Widest gap', number: true },
      { text: 'All gaps at once', number: true },
    ]}
    rows={rows.map((row) => [
      visibleText(labelOf(row.deployment)),
      ...row.scores.map((score) => (score?.value == null ? '–' : <Score {...score} scale={scale} />)),
      row.widest === null ? '–' : gapText(groups, row.widest),
      row.widest?.interval == null ? '–' : rangeOfGap(row.widest),
    ])}
  />
)

const Score = ({
  value,
  interval,
  n,
  asked,
  scale,
}: SubgroupScore & Pick<BySubgroupProps, 'scale'>): JSX.Element => (
  <>
    <span class="value">{value === null ? '–' : formatValue(value)}</span>
    <span class="detail">
      {' '}
      {interval === null ? '' : formatRange(interval)} n {formatCount(n)}
      {n < asked ? ` of ${formatCount(asked)}` : ''}
    </span>
    {interval === null || value === null ? null : (
      <IntervalBar
        low={positionOn(scale, interval.low)}
        value={positionOn(scale, value)}
        high={positionOn(scale, interval.high)}
      />
    )}
  </>
)

/** Where another gap than the widest is the one that is surest to be there. */
const SurestGaps = ({ of: { groups, rows }, labelOf }: OneAttribute): JSX.Element | null => {
  const others = rows.flatMap(({ deployment, widest, surest }) =>
    surest === null || (widest?.high === surest.high && widest.low === surest.low)
      ? []
      : [{ deployment, surest }],
  )
  return others.length === 0 ? null : (
    <ul>
      {others.map(({ deployment, surest }) => (
        <li key={deployment}>
          {visibleText(labelOf(deployment))}: surest is {gapText(groups, surest)} ({rangeOfGap(surest)}).
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
      withheld: under {LEAST} instances, or they would tell of a group that is.
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
export const attributeName = (attribute: string): string => {
  const words = attribute === SUB_SPLIT ? 'sub-split' : attribute.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
