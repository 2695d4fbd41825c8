import type { ComponentChildren, JSX } from 'preact'

/** Labels and values, in two columns where there is room. */
export const Facts = ({
  items,
}: {
  readonly items: readonly (readonly [label: string, value: ComponentChildren])[]
}): JSX.Element => (
  <dl class="facts">
    {items.map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
