import { ClientError } from '../../../models/calls/client.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { WaitingBatch } from '../../../targets/batch/batches.ts'
import type { Session } from '../../session/session.ts'

/** Milliseconds between looks at what the provider has done: longer the longer it takes. */
const FIRST_LOOK = 1000
const LONGEST_LOOK = 60_000

/**
 * Builds, then sends what was gathered. With `wait` again, as batches end: the judges' requests are known once the
 * models' answers are there.
 */
export const inRounds = async <Ended>(
  build: () => Promise<Ended>,
  { batches, env }: Session,
  wait: boolean,
): Promise<{ readonly ended: Ended; readonly waiting: readonly WaitingBatch[] }> => {
  for (;;) {
    const ended = await build()
    const waiting = await batches.send().catch(notSent)
    if (waiting.length === 0 || !wait || env.stop.aborted) return { ended, waiting }
    let pause = FIRST_LOOK
    while (!env.stop.aborted && !(await batches.anyEnded().catch(notSent))) {
      await sleep(pause, env.stop)
      pause = Math.min(LONGEST_LOOK, pause * 2)
    }
    batches.forget()
  }
}

const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    const stop = (): void => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', stop, { once: true })
  })

const notSent = (error: unknown): never => {
  if (!(error instanceof ClientError)) throw error
  const isUnknown = error.status === 404 || error.status === 405
  throw new ProblemError({
    code: isUnknown ? 'batch/not-offered' : 'batch/not-sent',
    message: `the batch interface answered: ${error.message}`,
    remedy: isUnknown
      ? 'This server takes no batches: run without --batch, or say batches: false among the deployment’s args.'
      : 'Run again: what the provider has of it is found there, the rest is sent then.',
  })
}

/** One line a batch. */
export const waitingText = (waiting: readonly WaitingBatch[]): string =>
  [
    ...waiting.map(
      ({ id, deployment, requests, sent }) =>
        `waiting: batch ${id}: ${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'} to ${deployment}, sent ${sent}`,
    ),
    'Run again to collect them, or add --wait.',
  ].join('\n')
