import { WAITING } from '../../../targets/batch/batches.ts'
import type { Listener } from '../../../targets/event.ts'
import { createProgress, type Progress } from './progress.ts'
import { createSummary, type ProgressSummary } from './summary.ts'

/** Shows on stderr how far a run is, and counts for its end. */
export const followRun = (): {
  readonly summary: ProgressSummary
  readonly progress: Progress
  readonly listener: Listener
} => {
  const summary = createSummary()
  const progress = createProgress({ stream: process.stderr, interval: process.stderr.isTTY ? 100 : 10_000 })
  return {
    summary,
    progress,
    listener: (event) => {
      // What comes with a batch has not failed.
      if (event.type === 'instance-failed' && event.code === WAITING) return
      summary.on(event)
      progress.on(event)
    },
  }
}
