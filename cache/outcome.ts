/** Why something that should have been measured was not. `code` is stable, `detail` is for people. */
export interface Failure {
  readonly code: string
  readonly detail: string
  /** How many attempts were made before giving up. */
  readonly attempts?: number
}

/**
 * What became of one piece of work. There is no default value in it on purpose:
 * whoever turns a failure into a number does so under a named profile.
 */
export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly cause: Failure }
  | { readonly kind: 'absent'; readonly reason: string }

export const done = <T>(value: T): Outcome<T> => ({ kind: 'done', value })
export const failed = (code: string, detail: string, attempts?: number): Outcome<never> => ({
  kind: 'failed',
  cause: attempts === undefined ? { code, detail } : { code, detail, attempts },
})
export const absent = (reason: string): Outcome<never> => ({ kind: 'absent', reason })
