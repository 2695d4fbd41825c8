import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { sharedText } from '../../components/text/diffed-text.tsx'
import { ShownText, WholeOffer } from '../../components/text/shown-text.tsx'
import { useWholeTexts, type LoadChunk } from '../../components/text/whole-text.ts'
import { MOST_EDITS, wordDiff, type WordDiff } from '../../components/text/word-diff.ts'
import { formatCount, formatDifference, formatValue } from '../../../../cache/words/number-text.ts'
import { visibleText } from '../../visible-text.ts'
import { Answer, References, type Marked } from '../run/instances/instance.tsx'
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
  const [left, right] = [onlyText(a.view), onlyText(b.view)]
  const isComparable = left !== undefined && right !== undefined
  const whole = useWholeTexts(
    isComparable
      ? [
          { text: left, load: a.load },
          { text: right, load: b.load },
        ]
      : [],
  )
  const [wholeA, wholeB] = whole.texts ?? []
  const diff = useMemo(() => answerDiff(wholeA, wholeB), [wholeA, wholeB])
  const marks = typeof diff === 'string' ? undefined : diff
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
          side={withAnswer(a, wholeA)}
          value={row.a}
          prompted={!same}
          jury={jury}
          marked={marks && { parts: marks.a, mark: 'gone' }}
        />
        <SideView
          letter="B"
          side={withAnswer(b, wholeB)}
          value={row.b}
          prompted={!same}
          jury={jury}
          marked={marks && { parts: marks.b, mark: 'come' }}
        />
      </div>
      {diff === undefined ? null : (
        <p class="detail">{typeof diff === 'string' ? diff : sharedText(diff, ['A’s answer', 'B’s'])}</p>
      )}
      <WholeOffer of={whole} text="Show both answers whole, with the words that differ" />
    </article>
  )
}

const withAnswer = (side: Side, answer: string | undefined): Side =>
  answer === undefined ? side : { ...side, view: { ...side.view, completions: [answer] } }

const onlyText = ({ completions: [text, ...more] }: InstanceView): ShownPrompt | undefined =>
  more.length === 0 ? text : undefined

/** UTF-16 units of an answer that is taken in at a glance. */
const SHORT = 80

/** Two answers' diff, or why nothing is marked; undefined where there is nothing to say. */
const answerDiff = (left: string | undefined, right: string | undefined): WordDiff | string | undefined => {
  if (left === undefined || right === undefined) return undefined
  if (left === right) return 'The answers are the same.'
  const diff = wordDiff(left, right)
  if (diff === 'too many edits')
    return `The answers differ in more than ${formatCount(MOST_EDITS)} words: too many for marks.`
  if (diff !== 'too little shared') return diff
  return Math.min(left.length, right.length) < SHORT ? undefined : 'The answers share too little for marks.'
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
