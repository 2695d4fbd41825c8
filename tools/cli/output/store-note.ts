import type { StoreEvent } from '../../../cache/store.ts'
import type { CodeEvent } from '../../../cache/user-code/bounded-call.ts'
import type { Event } from '../../../targets/event.ts'
import { SAME_KEY } from '../../../cache/vault/vault-key.ts'

/** Whether the user should know of it while a command works; records that can't be read are told of together. */
export const isNoted = (event: Event): event is StoreEvent | CodeEvent =>
  /^(?:store|tier|code)-/.test(event.type) && event.type !== 'store-corrupt-record'

/** What the user should know of the store, and of code that is waited for; a line. */
export const storeNote = (event: StoreEvent | CodeEvent): string => {
  if (event.type === 'code-awaited')
    return `waiting for ${event.file}: what it awaits has not come in ${event.seconds} s`
  if (event.type === 'store-corrupt-record')
    return `damaged record in ${event.table} (${event.id.slice(0, 12)}): missing`
  if (event.type === 'store-behind')
    return event.listed > 0
      ? `${event.listed} results lay in the store unlisted (a process was stopped while it wrote, or the index is an older or damaged one): they are back`
      : 'results may lie in the store unlisted, and its index can’t be written to now: they are missing here'
  if (event.type === 'store-older')
    return `${event.folder} is an older store than was here before, or a new one: ${event.bytes > 0 ? `${bytesText(event.bytes)} of results and payments are not in it` : 'what was written since is not in it'}.\n  \`medmake run\` asks for what it lacks again. If the other one is still to be had, put it back, or \`medmake cache merge\` it.`
  if (event.type === 'tier-read')
    return `from the tier: ${event.added} values added${event.damagedBytes > 0 ? `, ${event.damagedBytes} damaged bytes left out` : ''}`
  if (event.type === 'tier-other-key')
    return `${event.place} holds replies sealed with another vault key than the one here: they can’t be read, and their calls are asked and paid for again. To share them, ${SAME_KEY}.`
  if (event.type === 'tier-waiting')
    return `${event.attempts} earlier ${event.attempts === 1 ? 'attempt' : 'attempts'} at this shard may still be at work: they are given ${event.seconds} s to stop`
  const { holder, stopped, digest } = event
  const what =
    digest === undefined ? 'opens, closes or writes to the store' : 'makes a result that is needed here'
  const how = stopped
    ? `; it is stopped: \`kill -CONT ${holder}\` lets it go on, \`kill -9 ${holder}\` ends it`
    : ''
  return `waiting for process ${holder}, which ${what}${how}`
}

/** A number of bytes, as it is read best. */
export const bytesText = (bytes: number): string => {
  if (bytes < 1e3) return `${bytes} B`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`
}
