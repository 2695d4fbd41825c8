declare global {
  interface Window {
    /** Called by every data script: `__chunk("p0", …)`. */
    __chunk?: (key: string, value: unknown) => void
  }
}

/** Chunks that are held, for those who leaf back. */
const HELD = 100

const waiting = new WeakMap<object, (value: unknown) => void>()
const held = new Map<string, Promise<unknown>>()

/** Lets data scripts deliver what they hold: each to whoever asked for that script. */
export const receiveChunks = (): void => {
  window.__chunk = (_key, value) => {
    const script = document.currentScript
    if (script !== null) waiting.get(script)?.(value)
  }
}

/** Loads `<folder><key>.js` as a classic script: pages opened from disk may load nothing else. */
export const loadChunk = (folder: string, key: string): Promise<unknown> => {
  const address = `${folder}${key}.js`
  const chunk = held.get(address) ?? load(address)
  // The one asked for last goes last.
  held.delete(address)
  held.set(address, chunk)
  for (const oldest of held.keys()) {
    if (held.size <= HELD) break
    held.delete(oldest)
  }
  return chunk
}

const load = (address: string): Promise<unknown> =>
  new Promise<unknown>((resolve, reject) => {
    const script = document.createElement('script')
    waiting.set(script, resolve)
    script.src = address
    script.addEventListener('error', () => {
      held.delete(address)
      reject(new Error(`${script.src} could not be loaded`))
    })
    script.addEventListener('load', () => script.remove())
    document.head.append(script)
  })
