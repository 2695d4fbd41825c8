import type { JSX } from 'preact'

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChange: (value: string) => void
}

/** A labelled list to choose one from. */
export const Choice = ({ label, value, options, onChange }: ChoiceProps): JSX.Element => (
  <label class="choice">
    <span>{label}</span>
    <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

/** One of some values, or any of them; nothing where there are none to choose between. */
export const Filter = ({
  values,
  any,
  ...choice
}: Omit<ChoiceProps, 'options'> & {
  readonly values: readonly string[]
  readonly any: string
}): JSX.Element | null =>
  values.length === 0 ? null : (
    <Choice {...choice} options={[['', any], ...values.map((each) => [each, each] as const)]} />
  )

/** Takes back what was chosen. It goes with it, and leaves the focus to a field. @param field its selector */
export const Reset = ({
  text,
  className,
  field,
  reset,
}: {
  readonly text: string
  readonly className: 'button' | 'plain'
  readonly field: string
  readonly reset: () => void
}): JSX.Element => (
  <button
    type="button"
    class={className}
    onClick={() => {
      document.querySelector<HTMLElement>(field)?.focus()
      reset()
    }}
  >
    {text}
  </button>
)

/** Different values, where there is more than one. */
export const severalOf = (values: readonly string[]): readonly string[] => {
  const different = [...new Set(values)].filter((value) => value !== '')
  return different.length < 2 ? [] : different
}
