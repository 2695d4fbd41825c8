import { ASSUMED_REMEDY, assumedText } from '../../../targets/access/assumed-servers.ts'
import type { Event } from '../../../targets/event.ts'
import type { StoppedDeployment } from './summary.ts'
import { storeNote } from './store-note.ts'
import { createRunTally } from './run-tally.ts'

/** One line that says how far a run is: rewritten on a terminal, repeated now and then elsewhere. */
export interface Progress {
  readonly on: (event: Event) => void
  readonly close: () => void
}

export interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number }
  /** Milliseconds between lines. */
  readonly interval: number
}

export const createProgress = ({ stream, interval }: ProgressOptions): Progress => {
  const tally = createRunTally()
  // Of the monotonic clock.
  const started = performance.now()
  const live = stream.isTTY === true
  const clear = live ? '\r\u001B[2K' : ''
  let shown = ''
  const draw = (): void => {
    const line = tally.line((performance.now() - started) / 1000)
    if (line === shown) return
    shown = line
    stream.write(live ? `${clear}${line.slice(0, (stream.columns ?? 120) - 1)}` : `${line}\n`)
  }
  const timer = setInterval(() => {
    if (tally.isWorking()) draw()
  }, interval)
  timer.unref()
  return {
    on: (event) => {
      tally.on(event)
      const note = noteOf(event)
      if (note !== undefined) stream.write(`${clear}${note}\n`)
    },
    close: () => {
      clearInterval(timer)
      if (live && shown !== '') stream.write(clear)
    },
  }
}

/** That a deployment is asked no more, why, and what to do. */
export const stoppedText = ({ deployment, code, detail, remedy }: StoppedDeployment): string =>
  `${deployment} answers no call: ${detail} [${code}]\n  ${remedy}`

const followedText = ({
  target,
  access,
  values,
  erased,
}: Extract<Event, { readonly type: 'access-followed' }>): string =>
  `${target} is ${access} now: ${values.toLocaleString('en')} values were moved ${access === 'public' ? 'out of' : 'into'} the vault${erased ? '' : '; the store’s files hold the old ones until a later run finds nobody else at it'}`

/** What deserves a line of its own. */
const noteOf = (event: Event): string | undefined => {
  switch (event.type) {
    case 'source-download-start':
      return `downloading ${event.url}`
    case 'source-recorded':
      return `recorded in datasets.lock: ${event.url} sha256 ${event.sha256}`
    case 'access-followed':
      return followedText(event)
    case 'server-assumed':
      return `${assumedText(event)}.\n  ${ASSUMED_REMEDY}`
    case 'deployment-stopped':
      return stoppedText(event)
    case 'deployment-awaited':
      return `${event.deployment}: the first call waits ${Math.ceil(event.wait / 1000)} s, as a task before this one may have used this part of the limit`
    case 'store-behind':
    case 'store-older':
    case 'store-waiting':
    case 'tier-other-key':
    case 'tier-read':
    case 'tier-waiting':
      return storeNote(event)
    default:
      return undefined
  }
}
