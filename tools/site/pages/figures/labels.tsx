import type { JSX } from 'preact'

/** Cut where a drawing has no room; the table below it has the whole. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`

/** A label that rises from its foot. */
export const Turned = ({
  x,
  y,
  text,
}: {
  readonly x: number
  readonly y: number
  readonly text: string
}): JSX.Element => <text transform={`translate(${x} ${y}) rotate(-50)`}>{text}</text>
