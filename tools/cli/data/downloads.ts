import type { Event } from '../../../targets/event.ts'
import type { Invocation } from '../verb.ts'

/** Milliseconds between two lines on one download. */
const INTERVAL = 2000

/** Lines on downloads: start, how far now and then, end. */
export const downloads = (warn: Invocation['warn']): ((event: Event) => void) => {
  const shown = new Map<string, number>()
  return (event) => {
    if (event.type === 'source-download-start')
      warn(`downloading ${event.url}${event.resumedAt > 0 ? ` from byte ${event.resumedAt} on` : ''}`)
    else if (event.type === 'source-download-progress') {
      const now = performance.now()
      if (now - (shown.get(event.url) ?? now - INTERVAL / 2) < INTERVAL) return
      shown.set(event.url, now)
      const part = event.bytes === undefined ? '' : ` of ${megabytes(event.bytes)}`
      warn(`  ${megabytes(event.received)}${part}  ${event.url}`)
    } else if (event.type === 'source-download-done') warn(`done ${event.url} (${megabytes(event.bytes)})`)
    else if (event.type === 'source-retry') warn(`retrying ${event.url}: ${event.reason}`)
    else if (event.type === 'source-waiting')
      warn(`process ${event.holder} is fetching ${event.file}: waiting`)
    else if (event.type === 'source-recorded')
      warn(`recorded in datasets.lock: ${event.url} sha256 ${event.sha256}`)
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
