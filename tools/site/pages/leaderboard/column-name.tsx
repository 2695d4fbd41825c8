import type { JSX } from 'preact'
import { MODEL, type Sort } from './state.ts'
import type { ColumnView } from './view.ts'

export interface SortProps {
  /** Without it headers are plain text: nothing on the page promises what needs a script. */
  readonly onSort?: ((key: string) => void) | undefined
  readonly sort?: Sort | undefined
}

/** The content of a benchmark's or summary's header: its name, its metric, and the button that orders models by it. */
export const ColumnName = ({
  column,
  root,
  ...sorting
}: SortProps & { readonly column: ColumnView; readonly root: string }): JSX.Element => (
  <>
    {column.href === undefined ? (
      <span class="column-name">{column.label}</span>
    ) : (
      <a class="column-name" href={root + column.href}>
        {column.label}
      </a>
    )}
    <SortButton sortKey={column.key} name={column.label} text={column.metric + noteOf(column)} {...sorting} />
  </>
)

export const ModelHead = (sorting: SortProps): JSX.Element => (
  <>
    <span class="column-name">Model</span>
    <SortButton sortKey={MODEL} name="Model" text="name" {...sorting} />
  </>
)

/** Of cost and the like everybody knows what is better. */
const noteOf = ({ benchmark, better }: ColumnView): string =>
  benchmark === undefined ? '' : NOTES[better ?? 'unknown']

const NOTES = { higher: '', lower: ', lower is better', unknown: ', not ranked' } as const

export const ariaSort = (sort: Sort | undefined, key: string): Sort['direction'] | undefined =>
  sort?.key === key ? sort.direction : undefined

interface SortButtonProps extends SortProps {
  readonly sortKey: string
  readonly name: string
  readonly text: string
}

const SortButton = ({ sortKey, name, text, onSort, sort }: SortButtonProps): JSX.Element =>
  onSort === undefined ? (
    <span class="column-metric">{text}</span>
  ) : (
    <button type="button" class="column-metric" onClick={() => onSort(sortKey)}>
      <span class="unseen">Sort by {name}: </span>
      {text}
      <span class="sort-mark" aria-hidden="true">
        {SORT_MARKS[ariaSort(sort, sortKey) ?? 'none']}
      </span>
    </button>
  )

const SORT_MARKS = { ascending: '\u2009↑', descending: '\u2009↓', none: '' } as const
