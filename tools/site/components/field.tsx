import type { JSX } from 'preact'

interface FieldProps {
  readonly label: string
  readonly kind: 'number' | 'words'
  readonly value: string
  /** Called when the reader is done: with Enter, or on leaving the field. */
  readonly onChange: (value: string) => void
}

/** A labelled field to write in. */
export const Field = ({ label, kind, value, onChange }: FieldProps): JSX.Element => (
  <label class={`choice field-${kind}`}>
    <span>{label}</span>
    <input
      type="text"
      inputMode={kind === 'number' ? 'decimal' : 'search'}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </label>
)
