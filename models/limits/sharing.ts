/** A deployment's limits as the processes of this machine share them. */
export interface Sharing {
  /** Takes the right to one call in flight; false while the others have them all. Given back by `give`. */
  take(): boolean
  give(): void
  /** Processes that use the deployment now, this one included: each has an even part of every rate. */
  members(): number
  /** Milliseconds that another process was asked to wait from now on, and the rate that one learned since the last look. */
  news(): { readonly wait: number; readonly rate?: number }
  /** Tells the others. `wait` in milliseconds, `rate` in requests a millisecond of all together. */
  tell(news: { readonly wait: number; readonly rate: number }): void
  close(): void
}

/** What is used by this process alone: embedded models, tests. */
export const unshared: Sharing = {
  take: () => true,
  give: () => undefined,
  members: () => 1,
  news: () => ({ wait: 0 }),
  tell: () => undefined,
  close: () => undefined,
}
