import type { ComponentChildren, JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { allOf, formatValue } from '../../../../../cache/words/number-text.ts'
import type { InstanceView } from './instance-view.ts'
import { JudgeGrid } from '../judge-grid.tsx'
import { visibleText } from '../../../visible-text.ts'
import { DiffedText, sharedText } from '../../../components/text/diffed-text.tsx'
import { closestDiff, type DiffPart } from '../../../components/text/word-diff.ts'
import { ShownText, Verbatim, WholeOffer } from '../../../components/text/shown-text.tsx'
import { useWholeTexts, type LoadChunk } from '../../../components/text/whole-text.ts'

/** What is known of a run's metrics and judges. */
export interface MeasuredBy {
  readonly mainMetric: string
  /** Its name for readers. */
  readonly label: string
  /** Names of all metrics for readers. */
  readonly names: Readonly<Record<string, string>>
  /** Names of the judges that were asked. */
  readonly jury: readonly string[]
}

interface InstanceProps {
  readonly instance: InstanceView
  /** Address that leads to the instance. */
  readonly href: string
  readonly about: MeasuredBy
  readonly load: LoadChunk
}

/** One evaluated request: question, answer, what was right, who judged it how. */
export const Instance = ({ instance, href, about, load }: InstanceProps): JSX.Element => {
  const { mainMetric, label, names, jury } = about
  const score = instance.metrics.find(([name]) => name === mainMetric)
  return (
    <article class="instance" aria-labelledby="instance">
      <header class="instance-head">
        <h3 id="instance" tabIndex={-1}>
          <a href={href}>{visibleText(instance.id)}</a>
        </h3>
        <span class="detail">
          {instance.split}
          {instance.trial > 0 ? `, trial ${instance.trial + 1}` : ''}
        </span>
        {score === undefined ? (
          <span class="warning">{label}: no value</span>
        ) : (
          <span class="instance-score">
            {label} <b>{formatValue(score[1])}</b>
          </span>
        )}
      </header>
      <JudgeGrid judges={instance.judges} jury={jury} load={load} />
      <AnswerAndReference instance={instance} load={load} />
      <Part title="Prompt">
        <ShownText text={instance.prompt} load={load} />
      </Part>
      <Extras instance={instance} names={names} load={load} />
    </article>
  )
}

const OTHERS = 'Other references'
/** Correct references that an answer is held against. */
const MOST_REFERENCES = 8

/** Side by side with the words that differ marked, where the answer is no choice: against the closest correct reference. */
const AnswerAndReference = ({ instance, load }: PartProps): JSX.Element => {
  const { completions, references, mapped } = instance
  const [answer, ...more] = completions
  const right = references.flatMap(({ text, correct }, at) => (correct ? [{ text, at }] : []))
  const isTold = answer !== undefined && more.length === 0 && mapped === undefined && right.length > 0
  const held = right.slice(0, MOST_REFERENCES)
  const whole = useWholeTexts(
    isTold ? [{ text: answer, load }, ...held.map(({ text }) => ({ text, load }))] : [],
  )
  const [text = '', ...others] = whole.texts ?? []
  const closest = useMemo(
    () => (text.trim() === '' ? undefined : closestDiff(text, others)),
    [text, others.length],
  )
  const offer = <WholeOffer of={whole} text="Show all of it, with the words that differ from the reference" />
  if (closest === undefined)
    return (
      <>
        <Answer instance={instance} load={load} />
        <References instance={instance} load={load} />
        {offer}
      </>
    )
  const { diff, at } = closest
  const own = held[at]?.at
  return (
    <>
      <div class="sides">
        <Answer
          instance={{ ...instance, completions: [text] }}
          load={load}
          marked={{ parts: diff.a, mark: 'gone' }}
        />
        <Part title={right.length > 1 ? `The closest of ${right.length} correct references` : 'Reference'}>
          <DiffedText parts={diff.b} mark="come" />
        </Part>
      </div>
      <p class="detail">{sharedText(diff, ['the answer', 'the reference'])}</p>
      <References
        instance={{ ...instance, references: references.filter((_, place) => place !== own) }}
        load={load}
        title={OTHERS}
      />
    </>
  )
}

type PartProps = Pick<InstanceProps, 'instance' | 'load'>

/** A titled part of an instance. */
const Part = ({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}): JSX.Element => (
  <section class="part">
    <h4>{title}</h4>
    {children}
  </section>
)

/** The first completion with what another text lacks marked. */
export interface Marked {
  readonly parts: readonly DiffPart[]
  readonly mark: 'gone' | 'come'
}

/** What the model answered, or why it did not. */
export const Answer = ({
  instance,
  load,
  marked,
}: PartProps & { readonly marked?: Marked | undefined }): JSX.Element => (
  <Part title={instance.completions.length > 1 ? 'Completions' : 'Completion'}>
    {instance.error === undefined ? null : (
      <div class="warning">
        <ShownText text={instance.error} load={load} />
      </div>
    )}
    {instance.completions.map((text, index) =>
      marked !== undefined && index === 0 ? (
        <DiffedText key={index} {...marked} />
      ) : (
        <ShownText key={index} text={text} load={load} />
      ),
    )}
    {instance.mapped === undefined ? null : (
      <div class="mapped">
        <span class="detail">stands for</span>
        <ShownText text={instance.mapped} load={load} />
      </div>
    )}
    {instance.thinking === undefined ? null : (
      <details>
        <summary>Thinking</summary>
        <ShownText text={instance.thinking} load={load} />
      </details>
    )}
  </Part>
)

/** What was right or wrong to answer. */
export const References = ({
  instance,
  load,
  title = instance.references.length > 1 ? 'References' : 'Reference',
}: PartProps & { readonly title?: string }): JSX.Element | null =>
  instance.references.length === 0 ? null : (
    <Part title={title}>
      <ul class="references">
        {instance.references.map(({ text, correct }, index) => (
          <li key={index} class={correct ? 'correct' : undefined}>
            <ShownText text={text} load={load} />
            {correct && (instance.references.length > 1 || title === OTHERS) ? (
              <span class="tag">correct</span>
            ) : null}
            {instance.mapped === text ? <span class="tag">chosen</span> : null}
          </li>
        ))}
      </ul>
    </Part>
  )

const Extras = ({ instance, names, load }: PartProps & Pick<MeasuredBy, 'names'>): JSX.Element => (
  <>
    {instance.judgePrompt === undefined ? null : (
      <details>
        <summary>What the judges read</summary>
        <ShownText text={instance.judgePrompt} load={load} />
      </details>
    )}
    {instance.annotations.map(({ name, json }) => (
      <details key={name}>
        <summary>Annotation {visibleText(name)}</summary>
        <ShownText text={json} load={load} />
      </details>
    ))}
    <details>
      <summary>{allOf(instance.metrics.length, 'metric')}</summary>
      <dl class="metric-list">
        {instance.metrics.map(([name, value]) => (
          <div key={name}>
            <dt>{names[name] ?? name}</dt>
            <dd>{formatValue(value)}</dd>
          </div>
        ))}
      </dl>
      {instance.metrics.length === 0 ? <Verbatim text="" /> : null}
    </details>
  </>
)
