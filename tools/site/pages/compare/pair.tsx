import type { JSX } from 'preact'
import { ShownText, type LoadChunk } from '../../components/shown-text.tsx'
import { formatDifference, formatValue } from '../../../compare/number-text.ts'
import { visibleText } from '../../visible-text.ts'
import { Answer, Judges, Part, References } from '../run/instance.tsx'
import type { InstanceView } from '../run/instance-view.ts'
import type { PairedRow } from './pair-rows.ts'

/** One run's side of an instance. */
export interface Side {
  readonly label: string
  readonly view: InstanceView
  readonly load: LoadChunk
  /** Address of the instance on the run's own page. */
  readonly href: string
}

interface PairProps {
  readonly row: PairedRow
  /** Heading's id. */
  readonly id: string
  readonly href: string
  readonly a: Side
  readonly b: Side
}

/** An instance with what both models made of it, side by side. */
export const Pair = ({ row, id, href, a, b }: PairProps): JSX.Element => {
  const same = JSON.stringify(a.view.prompt) === JSON.stringify(b.view.prompt)
  return (
    <article class="instance" aria-labelledby={id}>
      <header class="instance-head">
        <h3 id={id} tabIndex={-1}>
          <a href={href}>{visibleText(row.id)}</a>
        </h3>
        <span class="instance-score">
          {Number.isNaN(row.b - row.a)
            ? 'not measured on both sides'
            : `B − A ${formatDifference(row.b - row.a)}`}
        </span>
      </header>
      {same ? <Prompt side={a} title="Prompt" /> : null}
      <References instance={a.view} load={a.load} />
      <div class="sides">
        <SideView letter="A" side={a} value={row.a} prompted={!same} />
        <SideView letter="B" side={b} value={row.b} prompted={!same} />
      </div>
    </article>
  )
}

const Prompt = ({ side, title }: { readonly side: Side; readonly title: string }): JSX.Element => (
  <Part title={title}>
    <ShownText text={side.view.prompt} load={side.load} />
  </Part>
)

const SideView = ({
  letter,
  side,
  value,
  prompted,
}: {
  readonly letter: string
  readonly side: Side
  readonly value: number
  readonly prompted: boolean
}): JSX.Element => (
  <div class="side">
    <p class="side-head">
      <a href={side.href}>
        {letter}: {side.label}
      </a>{' '}
      <b>{Number.isNaN(value) ? 'not measured' : formatValue(value)}</b>
    </p>
    {prompted ? <Prompt side={side} title="Its prompt" /> : null}
    <Answer instance={side.view} load={side.load} />
    <Judges judges={side.view.judges} load={side.load} />
  </div>
)
