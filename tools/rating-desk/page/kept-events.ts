import { DeskError } from '../desk.ts'

/** What a browser keeps of a sealed desk: ciphertext, in the order in which it came. */
export interface KeptEvent {
  add(sealed: string, id: string): Promise<void>
  all(): Promise<readonly { readonly id: string; readonly sealed: string }[]>
}

const TABLE = 'events'

/** One page at a time. @throws DeskError where another has it, or the browser keeps nothing */
export const openKept = async (name: string): Promise<KeptEvent> => {
  if (!(await lock(name))) throw new DeskError('This file is open in another tab; go on there.')
  const base = await openBase(name)
  return {
    add: (sealed, id) =>
      new Promise((resolve, reject) => {
        const change = base.transaction(TABLE, 'readwrite', { durability: 'strict' })
        change.objectStore(TABLE).add({ id, sealed })
        change.addEventListener('complete', () => resolve())
        change.addEventListener('abort', () => reject(change.error ?? new Error('aborted')))
      }),
    all: () =>
      new Promise((resolve, reject) => {
        const asked = base.transaction(TABLE).objectStore(TABLE).getAll()
        asked.addEventListener('success', () => resolve(asked.result as { id: string; sealed: string }[]))
        asked.addEventListener('error', () => reject(asked.error ?? new Error('unreadable')))
      }),
  }
}

const openBase = (name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open(`medmake-${name}`, 1)
    asked.addEventListener('upgradeneeded', () =>
      asked.result.createObjectStore(TABLE, { autoIncrement: true }),
    )
    asked.addEventListener('success', () => resolve(asked.result))
    asked.addEventListener('error', () =>
      reject(new DeskError('This browser keeps nothing of a page from disk: use another one.')),
    )
  })

/** Held as long as the page is there. */
const lock = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    void navigator.locks.request(`medmake-${name}`, { ifAvailable: true }, (held) => {
      resolve(held !== null)
      return held === null ? undefined : new Promise(() => undefined)
    })
  })
