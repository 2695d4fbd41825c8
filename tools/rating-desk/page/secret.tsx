import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

interface SecretProps {
  readonly problem: string
  /** @param copy text of a saved copy to go on from */
  readonly onSecret: (secret: string, copy: string | undefined) => void
}

/** Asks for the secret that came another way than the file. */
export const Secret = ({ problem, onSecret }: SecretProps): JSX.Element => {
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
