import type { ComponentChildren, JSX } from 'preact'
import { formatValue } from '../../../compare/number-text.ts'
import type { InstanceView, ShownJudge } from './instance-view.ts'
import { visibleText } from '../../visible-text.ts'
import { DiffedText } from '../../components/diffed-text.tsx'
import type { DiffPart } from '../../components/word-diff.ts'
import { ShownText, Verbatim, type LoadChunk } from '../../components/shown-text.tsx'

interface InstanceProps {
  readonly instance: InstanceView
  /** Heading's id. */
  readonly id: string
  /** Address that leads to the instance. */
  readonly href: string
  readonly mainMetric: string
  readonly load: LoadChunk
}

/** One evaluated request: question, answer, what was right, who judged it how. */
export const Instance = ({ instance, id, href, mainMetric, load }: InstanceProps): JSX.Element => {
  const score = instance.metrics.find(([name]) => name === mainMetric)
  return (
    <article class="instance" aria-labelledby={id}>
      <header class="instance-head">
        <h3 id={id} tabIndex={-1}>
          <a href={href}>{visibleText(instance.id)}</a>
        </h3>
        <span class="detail">
          {instance.split}
          {instance.trial > 0 ? `, trial ${instance.trial + 1}` : ''}
        </span>
        {score === undefined ? (
          <span class="warning">no {mainMetric}</span>
        ) : (
          <span class="instance-score">
            {mainMetric} <b>{formatValue(score[1])}</b>
          </span>
        )}
      </header>
      <Part title="Prompt">
        <ShownText text={instance.prompt} load={load} />
      </Part>
      <Answer instance={instance} load={load} />
      <References instance={instance} load={load} />
      <Judges judges={instance.judges} load={load} />
      <Extras instance={instance} load={load} />
    </article>
  )
}

export type PartProps = Pick<InstanceProps, 'instance' | 'load'>

/** A titled part of an instance. */
export const Part = ({
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
export const References = ({ instance, load }: PartProps): JSX.Element | null =>
  instance.references.length === 0 ? null : (
    <Part title={instance.references.length > 1 ? 'References' : 'Reference'}>
      <ul class="references">
        {instance.references.map(({ text, correct }, index) => (
          <li key={index} class={correct ? 'correct' : undefined}>
            <ShownText text={text} load={load} />
            {correct ? <span class="tag">correct</span> : null}
          </li>
        ))}
      </ul>
    </Part>
  )

/** Each judge's scores and explanations. */
export const Judges = ({
  judges,
  load,
}: {
  readonly judges: readonly ShownJudge[]
  readonly load: LoadChunk
}): JSX.Element | null =>
  judges.length === 0 ? null : (
    <Part title="Judges">
      {judges.map(({ name, scores }) => (
        <table key={name} class="data judge">
          <caption>{visibleText(name)}</caption>
          <thead>
            <tr>
              <th scope="col">Criterion</th>
              <th scope="col">Score</th>
              <th scope="col">Explanation</th>
            </tr>
          </thead>
          <tbody>
            {scores.map(({ criterion, score, explanation }) => (
              <tr key={criterion}>
                <th scope="row">{visibleText(criterion)}</th>
                <td class="number">{visibleText(score)}</td>
                <td>
                  <ShownText text={explanation} load={load} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </Part>
  )

const Extras = ({ instance, load }: PartProps): JSX.Element => (
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
      <summary>All {instance.metrics.length} metrics</summary>
      <dl class="metric-list">
        {instance.metrics.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatValue(value)}</dd>
          </div>
        ))}
      </dl>
      {instance.metrics.length === 0 ? <Verbatim text="" /> : null}
    </details>
  </>
)
