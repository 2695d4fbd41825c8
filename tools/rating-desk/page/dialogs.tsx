import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A window over the page that keeps the focus; Escape and its buttons close it, and the focus goes back to where it was. */
const Dialog = ({ title, onClose, children }: DialogProps): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      <form method="dialog">{children}</form>
    </dialog>
  )
}

export const PauseDialog = ({ onClose }: { readonly onClose: () => void }): JSX.Element => (
  <Dialog title="Paused" onClose={onClose}>
    <p>
      The clock stands still. Everything up to the item before this one is saved: you can close the page and
      go on another day.
    </p>
    <button type="submit" class="main">
      Go on
    </button>
  </Dialog>
)

interface KeysDialogProps {
  readonly keysOn: boolean
  readonly onKeys: (on: boolean) => void
  readonly onClose: () => void
}

const KEYS: readonly (readonly [string, string])[] = [
  ['1 … 5', 'rate the marked criterion and go to the next'],
  ['Y N', 'met, not met, where a point is one or the other'],
  ['-', 'I can’t judge the marked criterion'],
  ['J K', 'next, previous criterion'],
  ['Enter', 'save and next'],
  ['U', 'back to the item before'],
  ['C R', 'context, reference'],
  ['S', 'safety concern'],
  ['X', 'I can’t judge this answer'],
  ['M', 'comment'],
  ['P', 'pause'],
  ['?', 'this list'],
]

export const KeysDialog = ({ keysOn, onKeys, onClose }: KeysDialogProps): JSX.Element => (
  <Dialog title="Keys" onClose={onClose}>
    <dl class="keys">
      {KEYS.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
    <p class="small">Letters and digits act only outside text fields.</p>
    <label class="check">
      <input
        type="checkbox"
        checked={keysOn}
        onChange={({ currentTarget }) => onKeys(currentTarget.checked)}
      />
      <span>Single-key shortcuts on</span>
    </label>
    <button type="submit">Close</button>
  </Dialog>
)
