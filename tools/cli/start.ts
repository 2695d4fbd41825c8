import { EXIT } from '../../cache/problems/problem.ts'
import { endLeftBehind } from '../../cache/user-code/process-guard.ts'
import { main } from './main.ts'

/** The last line of every bin: exit codes are set, not forced, so that output is flushed; code that never ends is not waited for. */
export const start = async (alias?: string): Promise<void> => {
  // Whoever read along (`| head`) may stop; the work goes on.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    process.exitCode = await main(process.argv.slice(2), alias)
  } catch (error) {
    // Ours: whatever a user's code left behind does not hide it.
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exitCode = EXIT.incomplete
  }
  await endLeftBehind()
}
