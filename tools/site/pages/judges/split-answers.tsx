import type { JSX } from 'preact'
import { fixed } from '../../../../cache/words/number-text.ts'
import { DataTable } from '../../components/data-table.tsx'
import type { SiteSuite } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'
import { BenchmarkLink } from './agreement.tsx'
import type { JudgesProps } from './page.tsx'
import { ModelLink, InstanceLink } from '../../components/links.tsx'

interface SplitProps extends JudgesProps {
  readonly suite: SiteSuite
}

/** Rows of the list. */
const LISTED = 15

/** Of public benchmarks: single answers on which judges differ most, each one click away. */
export const SplitAnswers = ({ suite: { board }, judges, root }: SplitProps): JSX.Element | null => {
  const rows = judges
    .flatMap((each) =>
      each.split.map((answer) => ({
        each,
        answer,
        sorted: answer.scores.toSorted((a, b) => a.score - b.score),
      })),
    )
    .toSorted((a, b) => widthOf(b.sorted) - widthOf(a.sorted))
    .slice(0, LISTED)
  return rows.length === 0 ? null : (
    <section>
      <h2 id="split">Answers on which they differ most</h2>
      <DataTable
        label="Answers on which judges differ most"
        head={['Answer', 'Model', 'Benchmark', 'Scores, least first']}
        rows={rows.map(({ each, answer, sorted }) => [
          <InstanceLink
            suite={board.suite}
            run={each.runs[answer.model]}
            instance={answer.instance}
            root={root}
          />,
          <ModelLink board={board} deployment={answer.model} root={root} />,
          <BenchmarkLink of={each} root={root} />,
          sorted.map(({ judge, score }) => `${visibleText(judge)} ${fixed(score, 1)}`).join(', '),
        ])}
      />
    </section>
  )
}

const widthOf = (sorted: readonly { readonly score: number }[]): number =>
  (sorted.at(-1)?.score ?? 0) - (sorted[0]?.score ?? 0)
