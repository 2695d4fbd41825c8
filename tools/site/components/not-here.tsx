import type { JSX } from 'preact'

/** What an address names and a page does not have, a sentence each. */
export const NotHere = ({ lines }: { readonly lines: readonly string[] }): JSX.Element => (
  <>
    {lines.map((line) => (
      <p key={line} class="warning">
        {line}
      </p>
    ))}
  </>
)
