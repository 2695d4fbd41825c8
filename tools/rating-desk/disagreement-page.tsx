import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Disagreement } from '../../targets/ratings/disagreements.ts'
import { Verbatim } from '../site/components/text/shown-text.tsx'
import { visibleText } from '../site/visible-text.ts'
import type { DeskItem } from './desk.ts'
import { deskAsset, documentOf, hashOf, type DeskPage } from './desk-page.ts'

export interface ShownDisagreement {
  readonly disagreement: Disagreement
  /** Of the unit in its study. */
  readonly number: number
  /** Undefined where no run holds it any more. */
  readonly item: DeskItem | undefined
  /** Of the ratings, in their order. */
  readonly comments: readonly (string | undefined)[]
}

/** A page without any script. */
export const disagreementPage = async (shown: readonly ShownDisagreement[]): Promise<DeskPage> => {
  const style = await deskAsset('desk.css')
  const policy = `default-src 'none'; style-src ${hashOf(style)}; img-src data:; base-uri 'none'; form-action 'none'`
  const body = renderToString(
    <main class="done wide">
      <h1>{shown.length} answers to talk about</h1>
      {shown.map((each) => (
        <Answer key={each.number} {...each} />
      ))}
    </main>,
  )
  return { html: documentOf({ title: 'Answers to talk about', policy, style, body }), policy }
}

const Answer = ({ disagreement, number, item, comments }: ShownDisagreement): JSX.Element => (
  <article class="texts" aria-labelledby={`n${number}`}>
    <h2 id={`n${number}`}>
      Number {number || '–'}: {disagreement.reasons.join(', ')}
    </h2>
    <p>
      Jury {disagreement.answer.jury?.toFixed(2) ?? '–'}
      {disagreement.jury === null
        ? ''
        : `; clinicians ${disagreement.jury > 0 ? 'above' : 'below'} it by ${Math.abs(disagreement.jury).toFixed(2)}`}
    </p>
    <ul>
      {disagreement.ratings.map(({ rater, composite, scores, reason, safety }, index) => (
        <li key={rater}>
          <b>{rater}</b> {composite?.toFixed(2) ?? reason ?? '–'}{' '}
          {Object.entries(scores)
            .map(([name, score]) => `${name} ${score}`)
            .join(', ')}
          {safety ? ' – could harm' : ''}
          {comments[index] === undefined ? null : <q>{visibleText(comments[index])}</q>}
        </li>
      ))}
    </ul>
    {item === undefined ? (
      <p class="problem">No run holds this answer any more.</p>
    ) : (
      <>
        <h3>Question</h3>
        <Verbatim text={item.question} />
        <h3>Answer</h3>
        <div class="answer">
          <Verbatim text={item.answer} />
        </div>
        {item.reference === null ? null : (
          <details>
            <summary>Reference answer</summary>
            <Verbatim text={item.reference} />
          </details>
        )}
      </>
    )}
  </article>
)
