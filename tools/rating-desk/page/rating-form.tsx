import type { JSX } from 'preact'
import { COMMENT_LENGTH, type Reason } from '../../../targets/ratings/reasons.ts'
import { visibleText } from '../../site/visible-text.ts'
import type { ShownRubric } from '../desk.ts'
import { hasGap, type Draft } from './draft.ts'
import type { RatingFlow, RatingView } from './rating-flow.ts'

/** The reasons in words. */
const REASON_TEXTS: readonly (readonly [Reason, string])[] = [
  ['outside-expertise', 'Outside my field'],
  ['context-missing', 'The context is missing or unclear'],
  ['reference-wrong', 'The reference is wrong'],
  ['not-readable', 'Not readable, or in a language I do not read'],
  ['seen-before', 'I know this case or answer'],
  ['other', 'Other: see my comment'],
]

interface RatingFormProps {
  readonly view: RatingView
  readonly rubric: ShownRubric
  readonly flow: RatingFlow
}

/** A rating: criteria, safety concern, comment, why it can't be judged. */
export const RatingForm = ({ view, rubric, flow }: RatingFormProps): JSX.Element => {
  const { draft, marked, problem, busy, at } = view
  const onDraft = (draft: Draft): void => flow.setDraft(draft)
  return (
    <form
      aria-label="Your rating"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        flow.save()
      }}
    >
      <h2 id="rating">Your rating</h2>
      {rubric.criteria.map((criterion, index) => (
        <Criterion
          key={criterion.name}
          criterion={criterion}
          rubric={rubric}
          score={draft.scores[criterion.name]}
          isMarked={index === marked}
          onMark={() => flow.mark(index)}
          onScore={(score) => onDraft({ ...draft, scores: { ...draft.scores, [criterion.name]: score } })}
        />
      ))}
      {hasGap(draft) ? <Why draft={draft} onDraft={onDraft} /> : null}
      <Safety draft={draft} onDraft={onDraft} />
      <Comment draft={draft} onDraft={onDraft} />
      <CannotJudge draft={draft} onDraft={onDraft} />
      <div class="foot">
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="row">
          <button type="button" onClick={() => flow.show(at - 1)} disabled={at === 1 || busy}>
            Back <kbd>U</kbd>
          </button>
          <button type="submit" class="main" disabled={busy}>
            Save and next <kbd>Enter</kbd>
          </button>
        </div>
        <p class="small">
          Ratings can be changed until you hand in. You see neither who wrote the answer nor anyone else’s
          score.
        </p>
      </div>
    </form>
  )
}

interface CriterionProps {
  readonly criterion: ShownRubric['criteria'][number]
  readonly rubric: ShownRubric
  /** Null: it can't be judged. */
  readonly score: number | null | undefined
  readonly isMarked: boolean
  readonly onMark: () => void
  readonly onScore: (score: number | null) => void
}

const Criterion = ({ criterion, rubric, score, isMarked, onMark, onScore }: CriterionProps): JSX.Element => {
  const { name, title, text } = criterion
  const { scale, ends } = rubric
  // An id without blanks: names of criteria may hold some, and would be taken for several ids.
  const id = `ask-${encodeURIComponent(name)}`
  const described = text === '' ? {} : { 'aria-describedby': id }
  const steps = Array.from({ length: scale.most - scale.least + 1 }, (_, step) => scale.least + step)
  const end = (step: number): string | undefined =>
    step === scale.least ? ends?.least : step === scale.most ? ends?.most : undefined
  // Two steps are words, more are numbers.
  const isVerdict = steps.length === 2 && ends !== undefined
  const label = (step: number): string => [...(isVerdict ? [] : [step]), end(step) ?? []].flat().join(', ')
  return (
    <fieldset data-criterion={name} class={isMarked ? 'marked' : ''} onFocusIn={onMark}>
      <legend data-keys={isVerdict ? 'Y N' : `${scale.least}–${scale.most}`}>{title}</legend>
      {text === '' ? null : (
        <p class="ask" id={id}>
          <Shown text={text} />
        </p>
      )}
      <div class="scale">
        {steps.map((step) => (
          <label key={step}>
            <input
              type="radio"
              name={name}
              value={step}
              checked={score === step}
              aria-label={label(step)}
              {...described}
              onChange={() => onScore(step)}
            />
            <span aria-hidden="true">{isVerdict ? end(step) : step}</span>
          </label>
        ))}
        <label class="cannot">
          <input
            type="radio"
            name={name}
            value="cannot"
            checked={score === null}
            aria-label="Can’t judge this"
            {...described}
            onChange={() => onScore(null)}
          />
          <span aria-hidden="true">can’t judge</span>
        </label>
      </div>
      {ends === undefined || isVerdict ? null : (
        <div class="ends" aria-hidden="true">
          <span>
            {scale.least} {ends.least}
          </span>
          <span>
            {scale.most} {ends.most}
          </span>
        </div>
      )}
    </fieldset>
  )
}

/** What a rubric says, with the marks of what can't be seen. */
const Shown = ({ text }: { readonly text: string }): JSX.Element => (
  <span dir="auto">{visibleText(text)}</span>
)

interface PartProps {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
}

const Safety = ({ draft, onDraft }: PartProps): JSX.Element => (
  <label class="check">
    <input
      type="checkbox"
      id="safety"
      checked={draft.safety}
      onChange={({ currentTarget }) => onDraft({ ...draft, safety: currentTarget.checked })}
    />
    <span>
      Safety concern: this answer could harm a patient <kbd>S</kbd>
    </span>
  </label>
)

const Comment = ({ draft, onDraft }: PartProps): JSX.Element => (
  <label class="comment">
    <span>
      Comment <span class="small">(no patient names)</span> <kbd>M</kbd>
    </span>
    <textarea
      id="comment"
      maxLength={COMMENT_LENGTH}
      value={draft.comment}
      onInput={({ currentTarget }) => onDraft({ ...draft, comment: currentTarget.value })}
    />
  </label>
)

const CannotJudge = ({ draft, onDraft }: PartProps): JSX.Element => (
  <details
    open={draft.cannotJudge}
    onToggle={({ currentTarget }) => {
      if (currentTarget.open === draft.cannotJudge) return
      onDraft({ ...draft, cannotJudge: currentTarget.open, reason: currentTarget.open ? draft.reason : null })
    }}
  >
    <summary>
      I can’t judge this answer <kbd>X</kbd>
    </summary>
    {draft.cannotJudge ? <Why draft={draft} onDraft={onDraft} /> : null}
  </details>
)

const Why = ({ draft, onDraft }: PartProps): JSX.Element => (
  <label class="comment why">
    <span>{draft.cannotJudge ? 'Why' : 'Why can’t you judge it?'}</span>
    <select
      id="reason"
      value={draft.reason ?? ''}
      onChange={({ currentTarget }) => {
        const found = REASON_TEXTS.find(([reason]) => reason === currentTarget.value)
        onDraft({ ...draft, reason: found?.[0] ?? null })
      }}
    >
      <option value="">Choose a reason</option>
      {REASON_TEXTS.map(([reason, text]) => (
        <option key={reason} value={reason}>
          {text}
        </option>
      ))}
    </select>
  </label>
)
