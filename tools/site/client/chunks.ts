declare global {
  interface Window {
    /** Called by every data script: `__chunk("p0", …)`. */
    __chunk?: (key: string, value: unknown) => void
  }
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

const waiting = new Map<string, Waiting>()
const asked = new Map<string, Promise<unknown>>()

/** Lets data scripts deliver what they hold. */
export const receiveChunks = (): void => {
  window.__chunk = (key, value) => {
    waiting.get(key)?.resolve(value)
    waiting.delete(key)
  }
}

/** Loads `<folder><key>.js` once, as a classic script: pages opened from disk may load nothing else. */
export const loadChunk = (folder: string, key: string): Promise<unknown> => {
  const known = asked.get(key)
  if (known !== undefined) return known
  const chunk = new Promise<unknown>((resolve, reject) => {
    waiting.set(key, { resolve, reject })
    const script = document.createElement('script')
    script.src = `${folder}${key}.js`
    script.addEventListener('error', () => {
      asked.delete(key)
      reject(new Error(`${script.src} could not be loaded`))
    })
    script.addEventListener('load', () => script.remove())
    document.head.append(script)
  })
  asked.set(key, chunk)
  return chunk
}
