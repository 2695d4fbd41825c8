/** What happens on the way to a reply. */
export type ModelEvent =
  | {
      readonly type: 'call-retried'
      readonly deployment: string
      readonly attempt: number
      readonly cause: string
      /** Milliseconds until the next attempt. */
      readonly wait: number
    }
  /** It answers no call, whatever is asked: none is made any more. */
  | {
      readonly type: 'deployment-stopped'
      readonly deployment: string
      readonly code: string
      readonly detail: string
      /** What to do about it. */
      readonly remedy: string
    }
  | { readonly type: 'deployment-paused'; readonly deployment: string; readonly wait: number }
  /** Its first call waits for so many milliseconds: its limit may be used up by a task before this one. */
  | { readonly type: 'deployment-awaited'; readonly deployment: string; readonly wait: number }
