import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useLastLoaded } from '../../../client/use-loaded.ts'
import type { LoadChunk } from '../../../components/text/whole-text.ts'
import { formatValue } from '../../../../../cache/words/number-text.ts'
import { visibleText } from '../../../visible-text.ts'
import type { InstanceIndex } from '../run-index.ts'
import { snippetKey, SNIPPET_ROWS } from './snippets.ts'

interface InstanceTableProps {
  readonly rows: readonly number[]
  readonly index: InstanceIndex
  readonly load: LoadChunk
  /** Name of the main metric. */
  readonly label: string
  /** The row whose details are shown. */
  readonly chosen: number | undefined
  readonly isFlagged: (row: number) => boolean
  readonly hrefOf: (row: number) => string
}

/** A page of instances, a line each. */
export const InstanceTable = ({
  rows,
  index,
  load,
  label,
  chosen,
  isFlagged,
  hrefOf,
}: InstanceTableProps): JSX.Element => {
  const snippets = useLastLoaded(rows.join(' '), () => loadSnippets(rows, load))?.found
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => keepInView(list.current), [chosen, rows])
  const judged = index.spreads.some((spread) => spread !== null)
  const isMarked = rows.some(isFlagged)
  return (
    <div ref={list} class="instance-list table-scroll" role="region" aria-label="Instances" tabIndex={0}>
      <table class="data instances">
        <thead>
          <tr>
            <th scope="col">Id</th>
            <th scope="col" class="number" title={label}>
              Score
            </th>
            {judged ? (
              <th scope="col" class="number" title="The greatest distance of two judges on a criterion">
                Spread
              </th>
            ) : null}
            <th scope="col">Prompt</th>
            {isMarked ? (
              <th scope="col" class="marked">
                Flags
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row} class={row === chosen ? 'chosen' : undefined}>
              <th scope="row">
                <a href={hrefOf(row)} aria-current={row === chosen ? 'true' : undefined}>
                  {visibleText(index.ids[row] ?? '')}
                  {(index.trials[row] ?? 0) > 0 ? `, ${(index.trials[row] ?? 0) + 1}` : ''}
                </a>
              </th>
              <ScoreCell row={row} index={index} />
              {judged ? <td class="number">{spreadText(index.spreads[row])}</td> : null}
              <td class="snippet" dir="auto">
                {visibleText(snippets?.get(row) ?? '')}
              </td>
              {isMarked ? <td class="warning">{isFlagged(row) ? '⚑' : ''}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A value, or why there is none. */
const ScoreCell = ({
  row,
  index: { scores, failed },
}: Pick<InstanceTableProps, 'index'> & { readonly row: number }): JSX.Element => {
  const score = scores[row] ?? null
  if (failed.has(row)) return <td class="number warning">failed</td>
  return score === null ? (
    <td class="number warning">no score</td>
  ) : (
    <td class="number">{formatValue(score)}</td>
  )
}

const spreadText = (value: number | null | undefined): string => (value == null ? '–' : String(value))

/** Scrolls the list alone, never the page. */
const keepInView = (list: HTMLDivElement | null): void => {
  const row = list?.querySelector<HTMLElement>('tr.chosen')
  if (list == null || row == null) return
  const head = list.querySelector('thead')?.clientHeight ?? 0
  if (row.offsetTop - head < list.scrollTop) list.scrollTop = row.offsetTop - head
  const end = row.offsetTop + row.offsetHeight
  if (end > list.scrollTop + list.clientHeight) list.scrollTop = end - list.clientHeight
}

/** What prompts say, by row. A chunk that can't be loaded leaves its rows empty. */
const loadSnippets = async (
  rows: readonly number[],
  load: LoadChunk,
): Promise<ReadonlyMap<number, string>> => {
  const keys = [...new Set(rows.map(snippetKey))]
  const chunks = new Map(
    await Promise.all(
      keys.map(async (key) => [key, (await load(key).catch(() => [])) as readonly string[]] as const),
    ),
  )
  return new Map(rows.map((row) => [row, chunks.get(snippetKey(row))?.[row % SNIPPET_ROWS] ?? ''] as const))
}
