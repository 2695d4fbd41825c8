import { EXIT } from '../../cache/problems/problem.ts'
import { writeProblem } from '../../cache/store-problems.ts'
import { endLeftBehind } from '../../cache/user-code/guards.ts'
import { main } from './main.ts'
import { formatProblems } from './output/print-problems.ts'

/** The last line of every bin: exit codes are set, not forced, so that output is flushed; code that never ends is not waited for. */
export const start = async (alias?: string): Promise<void> => {
  tellLostOutput()
  // Node ends a process that has nothing left to do, whatever is still awaited.
  process.exitCode = EXIT.incomplete
  try {
    process.exitCode = await main(process.argv.slice(2), alias)
  } catch (error) {
    // Ours: whatever a user's code left behind does not hide it.
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exitCode = EXIT.incomplete
  }
  await endLeftBehind()
}

/** Whoever read along (`| head`) may stop; the work goes on. What a full disk did not take is told at the end. */
const tellLostOutput = (): void => {
  let isLost = false
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || isLost) return
      isLost = true
      process.once('exit', () => {
        process.stderr.write(`${formatProblems(writeProblem('output', error).problems, false)}\n`)
        process.exitCode ||= EXIT.incomplete
      })
    })
}
