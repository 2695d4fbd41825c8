import type { ComponentChildren, JSX } from 'preact'

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Its options. */
  readonly children: ComponentChildren
}

/** A labelled list to choose one from. */
export const Choice = ({ label, value, onChange, children }: ChoiceProps): JSX.Element => (
  <label class="choice">
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {children}
    </select>
  </label>
)
