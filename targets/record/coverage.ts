/**
 * Why a request has no score, or one that says less than it seems to. The first three have a reply, which HELM scores
 * like any other; the rest have none or a part of one.
 */
export const CAUSES = [
  'empty-completion',
  'refused',
  'truncated',
  'provider-error',
  'judge-missing',
  'judge-unparseable',
  'judge-out-of-range',
  'not-measured',
  'row-skipped',
] as const

export type Cause = (typeof CAUSES)[number]

/** Requests (for judges: judgements) by cause; a cause that did not occur is left out. */
export type Causes = Readonly<Partial<Record<Cause, number>>>
