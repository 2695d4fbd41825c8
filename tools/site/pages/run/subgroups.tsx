import type { JSX } from 'preact'
import { formatCount, plural } from '../../../../cache/words/number-text.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactRange, exactValue } from '../../components/exact.tsx'
import type { RunFacts } from '../../site.ts'
import {
  attributeName,
  gapText,
  GAPS,
  groupName,
  NotTold,
  rangeOfGap,
  Withheld,
} from '../benchmark/subgroups.tsx'

/** The run's score by each attribute of its instances. */
export const RunSubgroups = ({ subgroups }: Required<Pick<RunFacts, 'subgroups'>>): JSX.Element | null =>
  subgroups.length === 0 ? null : (
    <details id="subgroups">
      <summary>
        Scores by {subgroups.map(({ attribute }) => attributeName(attribute).toLowerCase()).join(', ')}:{' '}
        {plural(
          subgroups.reduce((sum, { groups }) => sum + groups.length, 0),
          'group',
        )}
      </summary>
      {subgroups.map(({ attribute, groups, withheld, row }) => (
        <section key={attribute}>
          <DataTable
            label={`Scores by ${attributeName(attribute).toLowerCase()}`}
            head={[attributeName(attribute), ...numeric('Mean', '95 % interval', 'n', 'Asked')]}
            rows={groups.map((group, at) => {
              const score = row.scores[at]
              return [
                groupName(group),
                exactValue(score?.value),
                exactRange(score?.interval),
                score == null ? '–' : formatCount(score.n),
                score == null ? '–' : formatCount(score.asked),
              ]
            })}
          />
          {row.widest === null ? null : (
            <p class="note">
              Widest gap {gapText(groups, row.widest)} ({rangeOfGap(row.widest)}). {GAPS}
            </p>
          )}
          <Withheld withheld={withheld} />
          {row.scores.includes(null) ? <NotTold /> : null}
        </section>
      ))}
    </details>
  )
