import type { JSX } from 'preact'
import { ShownText, type LoadChunk } from '../../components/shown-text.tsx'
import { wordDiff, type WordDiff } from '../../components/word-diff.ts'
import { formatDifference, formatShare, formatValue } from '../../../compare/number-text.ts'
import { visibleText } from '../../visible-text.ts'
import { Answer, LEAST_SHARED, References, type Marked } from '../run/instances/instance.tsx'
import { JudgeGrid } from '../run/judge-grid.tsx'
import type { InstanceView, ShownText as ShownPrompt } from '../run/instances/instance-view.ts'
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
  const diff = answerDiff(a.view, b.view)
  const jury = [...a.view.judges, ...b.view.judges].map(({ name }) => name)
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
        <SideView
          letter="A"
          side={a}
          value={row.a}
          prompted={!same}
          jury={jury}
          marked={diff && { parts: diff.a, mark: 'gone' }}
        />
        <SideView
          letter="B"
          side={b}
          value={row.b}
          prompted={!same}
          jury={jury}
          marked={diff && { parts: diff.b, mark: 'come' }}
        />
      </div>
      <p class="detail">{diffNote(a.view, b.view, diff)}</p>
    </article>
  )
}

/** Undefined where there are no two answers of one text each, or too little that they share. */
const answerDiff = (a: InstanceView, b: InstanceView): WordDiff | undefined => {
  const [left, right] = [onlyText(a), onlyText(b)]
  if (left === undefined || right === undefined || left === right) return undefined
  const diff = wordDiff(left, right)
  return diff === undefined || diff.shared < LEAST_SHARED ? undefined : diff
}

const onlyText = ({ completions: [text, ...more] }: InstanceView): string | undefined =>
  typeof text === 'string' && more.length === 0 ? text : undefined

/** UTF-16 units of an answer that is taken in at a glance. */
const SHORT = 80

const diffNote = (a: InstanceView, b: InstanceView, diff: WordDiff | undefined): string => {
  if (diff !== undefined)
    return `Struck: only in A’s answer; underlined: only in B’s. ${formatShare(diff.shared)} of A’s answer stands in B’s, in this order.`
  const left = onlyText(a)
  const right = onlyText(b)
  if (left === undefined || right === undefined) return ''
  if (left === right) return 'The answers are the same.'
  return Math.min(left.length, right.length) < SHORT ? '' : 'The answers share too little for marks.'
}

const Prompt = ({ side, title }: { readonly side: Side; readonly title: string }): JSX.Element => (
  <details>
    <summary>
      {title} <span class="detail">{snippetOf(side.view.prompt)}</span>
    </summary>
    <ShownText text={side.view.prompt} load={side.load} />
  </details>
)

const SNIPPET = 140

/** The end of a prompt, which is what tells it from others of its benchmark. */
const snippetOf = (prompt: ShownPrompt): string => {
  const text = visibleText(typeof prompt === 'string' ? prompt : prompt.head)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length <= SNIPPET ? text : `… ${text.slice(-SNIPPET)}`
}

const SideView = ({
  letter,
  side,
  value,
  prompted,
  jury,
  marked,
}: {
  readonly letter: string
  readonly side: Side
  readonly value: number
  readonly prompted: boolean
  /** Names of the judges that either side was read by. */
  readonly jury: readonly string[]
  readonly marked: Marked | undefined
}): JSX.Element => (
  <div class="side">
    <p class="side-head">
      <a href={side.href}>
        {letter}: {side.label}
      </a>{' '}
      <b>{Number.isNaN(value) ? 'not measured' : formatValue(value)}</b>
    </p>
    {prompted ? <Prompt side={side} title="Its prompt" /> : null}
    <Answer instance={side.view} load={side.load} marked={marked} />
    <JudgeGrid
      label={`Judges of ${side.label} on ${side.view.id}`}
      judges={side.view.judges}
      jury={jury}
      load={side.load}
    />
  </div>
)
