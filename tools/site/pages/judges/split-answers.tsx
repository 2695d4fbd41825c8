import type { JSX } from 'preact'
import { DataTable } from '../../components/data-table.tsx'
import { runPath } from '../../paths.ts'
import type { SiteSuite } from '../../site.ts'
import { urlStateText } from '../../url-state.ts'
import { visibleText } from '../../visible-text.ts'
import { BenchmarkLink } from './agreement.tsx'
import type { JudgesProps } from './page.tsx'

/** Answers of public benchmarks on which judges differ most, each one click away. */
export const SplitAnswers = ({
  suite: { board },
  judges,
  root,
}: JudgesProps & { readonly suite: SiteSuite }): JSX.Element | null => {
  const rows = judges.flatMap((each) => each.split.map((answer) => ({ each, answer })))
  const labels = new Map(board.rows.map(({ model, label }) => [model.deployment, label]))
  return rows.length === 0 ? null : (
    <>
      <h2 id="split">Where they differ most</h2>
      <p>
        Answers to public benchmarks, with the mean of each judge’s scores; the judges’ words stand with them.
      </p>
      <DataTable
        label="Where judges differ most"
        head={[{ text: 'Answer' }, { text: 'Model' }, { text: 'Benchmark' }, { text: 'Scores, least first' }]}
        rows={rows.map(({ each, answer: { instance, model, scores } }) => {
          const run = each.runs[model]
          return [
            run === undefined ? (
              visibleText(instance)
            ) : (
              <a href={`${root}${runPath(board.suite, run)}${urlStateText({ instance }, { instance: '' })}`}>
                {visibleText(instance)}
              </a>
            ),
            visibleText(labels.get(model) ?? model),
            <BenchmarkLink of={each} root={root} />,
            scores
              .toSorted((a, b) => a.score - b.score)
              .map(({ judge, score }) => `${visibleText(judge)} ${score.toFixed(1)}`)
              .join(', '),
          ]
        })}
      />
    </>
  )
}
