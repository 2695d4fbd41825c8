import { ownTurn } from './bounded-call.ts'
import { leaveBehind, putBuiltinsBack } from './guards.ts'

/**
 * What a user's code gives, which is asked to end when the run stops, and when its time is over; what heeds no signal is
 * left behind then.
 * @param call reads what the code gave as soon as it is there: see `ownTurn`
 * @param late what it ends with after `milliseconds`
 * @throws the reason of `stop`, or `late`; what the call throws
 */
export const timedCall = async <T>(
  call: (signal: AbortSignal) => Promise<T>,
  {
    stop,
    milliseconds,
    late,
  }: { readonly stop: AbortSignal; readonly milliseconds: number; readonly late: unknown },
): Promise<T> => {
  await ownTurn()
  stop.throwIfAborted()
  const giveUp = new AbortController()
  const timer = setTimeout(() => giveUp.abort(late), milliseconds)
  const signal = AbortSignal.any([stop, giveUp.signal])
  let end: (() => void) | undefined
  const over = new Promise<never>((_, reject) => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what it was aborted with says why
    end = () => reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
  })
  try {
    return await Promise.race([over, call(signal)])
  } catch (error) {
    // Code that heeds the signal ends with an error of its own.
    throw signal.aborted ? signal.reason : error
  } finally {
    putBuiltinsBack()
    clearTimeout(timer)
    if (signal.aborted) leaveBehind()
    if (end !== undefined) signal.removeEventListener('abort', end)
  }
}
