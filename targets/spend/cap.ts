/** A limit on what calls may cost, in US dollars. */
export interface Cap {
  /** Only of calls to this deployment; all unless given. */
  readonly deployment?: string
  readonly period: 'run' | 'day'
  readonly usd: number
  /** The flag or field that sets it, as users see it. */
  readonly name: string
}

/** US dollars by deployment. */
export type Amounts = ReadonlyMap<string, number>

/** What was spent and what calls in flight may cost at most. */
export interface Account {
  readonly settled: Amounts
  readonly reserved: Amounts
}

/** Accounts that caps are held against. `day` holds all runs' since midnight UTC, this one's included. */
interface Accounts {
  readonly run: Account
  readonly day: Account
}

/**
 * fits: the call may be made. wait: it may fit once calls in flight have shown what they cost. over: it would not fit
 * even alone.
 */
export type Room = { readonly kind: 'fits' | 'wait' } | { readonly kind: 'over'; readonly cap: Cap }

/** Sums of decimal prices are off by this much at most; a billionth of a dollar is no overshoot. */
const EPSILON = 1e-9

/** Whether a call that may cost `ceiling` US dollars has room under all caps. */
export const roomFor = (
  { deployment, ceiling }: { readonly deployment: string; readonly ceiling: number },
  caps: readonly Cap[],
  accounts: Accounts,
): Room => {
  let kind: 'fits' | 'wait' = 'fits'
  for (const cap of caps) {
    if (cap.deployment !== undefined && cap.deployment !== deployment) continue
    const { settled, reserved } = accounts[cap.period]
    const alone = amountOf(settled, cap) + ceiling
    if (alone > cap.usd + EPSILON) return { kind: 'over', cap }
    if (alone + amountOf(reserved, cap) > cap.usd + EPSILON) kind = 'wait'
  }
  return { kind }
}

/** What of the amounts a cap is about. */
export const amountOf = (amounts: Amounts, { deployment }: Pick<Cap, 'deployment'>): number =>
  deployment === undefined ? sum(amounts) : (amounts.get(deployment) ?? 0)

const sum = (amounts: Amounts): number => [...amounts.values()].reduce((total, usd) => total + usd, 0)

export const plus = (amounts: Amounts, deployment: string, usd: number): Amounts =>
  new Map([...amounts, [deployment, (amounts.get(deployment) ?? 0) + usd]])

/** Without what was added before; no rounding error stays when all of it is gone. */
export const minus = (amounts: Amounts, deployment: string, usd: number): Amounts =>
  new Map([...plus(amounts, deployment, -usd)].filter(([, left]) => left > EPSILON))

export const addAmounts = (all: readonly Amounts[]): Amounts =>
  all
    .flatMap((amounts) => [...amounts])
    .reduce<Amounts>((total, [name, usd]) => plus(total, name, usd), new Map())
