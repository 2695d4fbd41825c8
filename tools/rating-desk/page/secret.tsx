import type { JSX } from 'preact'
import { useState } from 'preact/hooks'

interface SecretProps {
  readonly problem: string
  readonly onSecret: (secret: string) => void
}

/** Asks for the secret that came another way than the file. */
export const Secret = ({ problem, onSecret }: SecretProps): JSX.Element => {
  const [text, setText] = useState('')
  return (
    <form
      class="secret"
      onSubmit={(event) => {
        event.preventDefault()
        onSecret(text)
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
      <p class="problem" role="alert">
        {problem}
      </p>
      <button type="submit" class="main">
        Open
      </button>
    </form>
  )
}
