/** Cut where a drawing has no room; the table below it has the whole. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`
