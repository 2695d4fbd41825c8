import { aborted } from './calls/client.ts'

/** @throws ClientError `call/aborted` */
export const sleep = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted())
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    const stop = (): void => {
      clearTimeout(timer)
      reject(aborted())
    }
    signal.addEventListener('abort', stop, { once: true })
  })
