import type { ComponentChildren, JSX } from 'preact'
import { DataTable, type DataTableProps } from '../../components/data-table.tsx'

/** A drawing with everything that it says in words and numbers, too. */
export interface FigureContent {
  /** Names it in addresses: `#costs`. */
  readonly id: string
  readonly title: string
  /** What is drawn, and how to read it. */
  readonly caption: string
  /** Undefined: there is nothing to draw, as `missing` explains. */
  readonly drawing?: Drawing | undefined
  readonly missing?: string
  /** The same numbers, for those who do not see the drawing or want them exactly. */
  readonly table?: Omit<DataTableProps, 'label'>
}

export interface Drawing {
  /** In pixels; text is 12 high. */
  readonly width: number
  readonly height: number
  readonly content: ComponentChildren
}

export const Figure = ({
  figure: { id, title, caption, drawing, missing, table },
  number,
}: {
  readonly figure: FigureContent
  readonly number: number
}): JSX.Element => (
  <figure id={id} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>
      <span class="figure-number">Figure {number}.</span> {title}
    </h2>
    {drawing === undefined ? (
      <p class="missing">{missing}</p>
    ) : (
      <div class="table-scroll figure-scroll" role="region" aria-label={`${title}, drawn`} tabIndex={0}>
        <svg
          class="drawing"
          role="img"
          aria-label={`${title}. ${caption}`}
          viewBox={`0 0 ${drawing.width} ${drawing.height}`}
          width={drawing.width}
          height={drawing.height}
        >
          {drawing.content}
        </svg>
      </div>
    )}
    <figcaption>{caption}</figcaption>
    {table === undefined || drawing === undefined ? null : (
      <details>
        <summary>The numbers of figure {number}</summary>
        <DataTable label={`${title}, in numbers`} {...table} />
      </details>
    )}
  </figure>
)
