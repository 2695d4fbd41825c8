import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { problemText, type Desk, type DeskState, type RecognisedAnswer } from '../desk.ts'
import { SaveCopy } from './save-copy.tsx'

interface HandInProps {
  readonly desk: Desk
  readonly state: DeskState
  readonly given: string
  readonly onBack: () => void
}

const CHOICES: readonly (readonly [RecognisedAnswer, string])[] = [
  ['no', 'No'],
  ['some', 'Of some answers'],
  ['most', 'Of most answers'],
]

/** The end: everything is rated, and goes back to who asked for it. */
export const HandIn = ({ desk, state, given, onBack }: HandInProps): JSX.Element => {
  const [recognised, setRecognised] = useState<RecognisedAnswer | undefined>()
  const [handedIn, setHandedIn] = useState(state.handedIn)
  const [problem, setProblem] = useState('')
  const isSent = useRef(false)
  const items = state.items - state.practice
  const cannot = given.slice(state.practice).split('x').length - 1
  const submit = (): void => {
    if (recognised === undefined) return setProblem('Say whether you recognised who wrote answers.')
    if (isSent.current) return
    isSent.current = true
    desk.handIn(recognised).then(
      () => setHandedIn(true),
      (error: unknown) => {
        isSent.current = false
        setProblem(`Not saved: ${problemText(error)}`)
      },
    )
  }
  if (handedIn) return <HandedIn desk={desk} />
  return (
    <main class="done">
      <Title text={`All ${items} items are done`} />
      <p>
        {items - cannot} rated, {cannot} could not be judged. Nothing can be changed once it is handed in.
      </p>
      <fieldset>
        <legend>Did you recognise who or what wrote the answers?</legend>
        {CHOICES.map(([value, text]) => (
          <label key={value} class="check">
            <input
              type="radio"
              name="recognised"
              value={value}
              checked={recognised === value}
              onChange={() => setRecognised(value)}
            />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="row">
        <button type="button" onClick={onBack}>
          Back
        </button>
        <button type="button" class="main" onClick={submit}>
          Hand in
        </button>
      </div>
    </main>
  )
}

const HandedIn = ({ desk }: Pick<HandInProps, 'desk'>): JSX.Element => (
  <main class="done">
    <Title text="Handed in. Thank you." />
    {desk.file === undefined ? (
      <p>Everything is on this machine. You can close this page.</p>
    ) : (
      <>
        <p>Save the ratings file and send it back. It is sealed, and holds no question and no answer.</p>
        <SaveCopy desk={desk} label="Save ratings file" />
      </>
    )}
  </main>
)

/** Takes the focus from what went away. */
const Title = ({ text }: { readonly text: string }): JSX.Element => {
  const own = useRef<HTMLHeadingElement>(null)
  useEffect(() => own.current?.focus(), [])
  return (
    <h2 ref={own} tabIndex={-1}>
      {text}
    </h2>
  )
}
