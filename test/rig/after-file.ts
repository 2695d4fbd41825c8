type End = () => unknown

const ends: End[] = []

/** To be done when the test file is over. For what several files share: a hook of theirs would be the first file's alone. */
export const afterFile = (end: End): void => {
  ends.push(end)
}

/** The latest first: a server goes before the folder that it writes to. */
export const endFile = async (): Promise<void> => {
  for (const end of ends.splice(0).toReversed()) await end()
}
