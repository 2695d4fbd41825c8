import type { ComparedRun } from './compared-run.ts'

/** Whether each of the runs has values of 0 or 1 by definition: one of several trials has means. */
export const areBinary = (runs: readonly ComparedRun[], metric: string): boolean => {
  const found = runs.flatMap(({ main, metrics }) =>
    [...metrics, ...(main ? [main] : [])].filter(({ name }) => name === metric),
  )
  return found.length > 0 && found.every(({ isBinary }) => isBinary)
}
