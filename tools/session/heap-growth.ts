import { setFlagsFromString } from 'node:v8'

let isTight = false

const growBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`)

/** By no more than what lives: left alone, V8 fills 200 MB with a run's garbage before it looks through the heap. */
export const growHeapLess = (): void => {
  growBy(100)
  isTight = false
}

/** For a long run, which makes hardly anything but garbage. */
export const growHeapLeast = (): void => {
  growBy(20)
  isTight = true
}

/** V8 takes compiled code only under the flags that it was made with: those of a start, whatever a run set since. */
export const underFirstFlags = <T>(work: () => T): T => {
  if (!isTight) return work()
  growHeapLess()
  try {
    return work()
  } finally {
    growHeapLeast()
  }
}
