/** Milliseconds in which a browser begins to save. */
const TAKEN_UP = 60_000

/** Hands a file to the reader's browser. */
export const save = (name: string, type: string, content: string | ArrayBuffer | Blob): void => {
  const link = document.createElement('a')
  const address = URL.createObjectURL(
    new Blob([content], { type: typeof content === 'string' ? `${type};charset=utf-8` : type }),
  )
  link.href = address
  link.download = name
  link.click()
  // A browser that is busy takes the file up only later.
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_UP)
}
