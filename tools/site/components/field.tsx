import type { JSX } from 'preact'

interface FieldProps {
  readonly label: string
  readonly kind: 'number' | 'words'
  readonly value: string
  readonly placeholder?: string
  /** Why what is written there counts for nothing. */
  readonly fault?: string | undefined
  /** Called when the reader is done: with Enter, or on leaving the field. */
  readonly onChange: (value: string) => void
}

export const Field = ({ label, kind, value, placeholder, fault, onChange }: FieldProps): JSX.Element => (
  <label class={`choice field-${kind}`}>
    <span>{label}</span>
    <input
      type="text"
      inputMode={kind === 'number' ? 'decimal' : 'search'}
      placeholder={placeholder}
      value={value}
      {...(fault === undefined ? {} : { 'aria-invalid': true, title: fault })}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  </label>
)
