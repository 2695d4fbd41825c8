import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { problemText, type Desk, type DeskState } from '../desk.ts'
import { Rating } from './rating.tsx'

type View =
  | { readonly kind: 'locked'; readonly problem: string }
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly state: DeskState }
  | { readonly kind: 'over'; readonly problem: string }

export const App = ({ desk }: { readonly desk: Desk }): JSX.Element => {
  const [view, setView] = useState<View>(
    desk.isSealed ? { kind: 'locked', problem: '' } : { kind: 'opening' },
  )
  const open = (secret: string, copy?: string): void => {
    setView({ kind: 'opening' })
    desk.open(secret, copy).then(
      (state) => setView({ kind: 'open', state }),
      (error: unknown) => {
        const problem = problemText(error)
        setView(desk.isSealed ? { kind: 'locked', problem } : { kind: 'over', problem })
      },
    )
  }
  useEffect(() => {
    if (!desk.isSealed) open('')
  }, [])
  if (view.kind === 'open')
    return <Rating desk={desk} state={view.state} onOver={(problem) => setView({ kind: 'over', problem })} />
  return (
    <>
      <header>
        <h1>Rating desk</h1>
      </header>
      <main class="done">
        {view.kind === 'locked' ? <Secret problem={view.problem} onSecret={open} /> : null}
        {view.kind === 'opening' ? <p role="status">Opening …</p> : null}
        {view.kind === 'over' ? <p role="alert">{view.problem}</p> : null}
      </main>
    </>
  )
}

interface SecretProps {
  readonly problem: string
  /** @param copy text of a saved copy to go on from */
  readonly onSecret: (secret: string, copy: string | undefined) => void
}

/** Asks for the secret that came another way than the file. */
const Secret = ({ problem, onSecret }: SecretProps): JSX.Element => {
  const [text, setText] = useState('')
  const [copy, setCopy] = useState<string | undefined>()
  return (
    <form
      class="secret"
      onSubmit={(event) => {
        event.preventDefault()
        onSecret(text, copy)
      }}
    >
      <h2>The answers in this file are sealed</h2>
      <label class="comment">
        <span>Secret: six groups, as you were given them</span>
        <input
          id="secret"
          autoFocus
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <label class="comment">
        <span>
          A copy to go on from{' '}
          <span class="small">(only on another machine, or where this one lost what you rated)</span>
        </span>
        <input
          id="copy"
          type="file"
          accept=".json"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            if (file === undefined) setCopy(undefined)
            else void file.text().then(setCopy)
          }}
        />
      </label>
      <p class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="main">
        Open
      </button>
    </form>
  )
}
