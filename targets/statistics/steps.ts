/** Work that stops every few milliseconds, so that a page may draw and listen, or leave it. */
export type Steps<Result> = Generator<void, Result, void>

/** All of it at once. */
export const finish = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
