import { createHash } from 'node:crypto'
import { fakeAnswer, type FakeAnswer, type FakeCall } from './fake-answer.ts'

export interface Faults {
  /** Requests that are taken in a second; more are rejected with Retry-After: 1. */
  readonly perSecond: number
  /** Share of attempts that end in 500, 503 or a 429 that may be sent again at once. */
  readonly errors: number
  /** Share of calls whose first attempt is never answered. */
  readonly hangs: number
}

/** Never answered. */
const HANG: FakeAnswer = { status: 0 }

/** Answers with faults: errors and hangs are drawn from the prompt and the attempt, rejections from the clock. */
export const faultyAnswer = (
  { perSecond, errors, hangs }: Faults,
  now: () => number = () => performance.now(),
): ((call: FakeCall) => FakeAnswer) => {
  let windowStart = Number.NEGATIVE_INFINITY
  let taken = 0
  return (call) => {
    if (now() - windowStart >= 1000) [windowStart, taken] = [now(), 0]
    taken += 1
    if (taken > perSecond) return { status: 429, headers: { 'retry-after': '1' } }
    const { model, prompt, attempt } = call
    const bytes = createHash('sha256').update(`${model}\n${prompt}`).digest()
    const draw = (place: number): number => (bytes[place % bytes.length] ?? 0) / 256
    if (attempt === 1 && draw(29) < hangs) return HANG
    if (attempt <= 4 && draw(8 + attempt) < errors)
      return attempt % 3 === 2
        ? { status: 429, headers: { 'retry-after': '0' } }
        : { status: attempt % 3 === 1 ? 503 : 500 }
    return fakeAnswer(call)
  }
}
