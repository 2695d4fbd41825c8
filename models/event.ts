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
  | { readonly type: 'deployment-paused'; readonly deployment: string; readonly wait: number }
