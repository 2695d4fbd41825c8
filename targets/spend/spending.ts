import type { Store } from '../../cache/store.ts'
import type { Listener, Event } from '../event.ts'
import type { CompletionRequest, Usage } from '../../models/calls/client.ts'
import { type Price, costOf, ceilingOf } from '../../models/prices/price.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { TokenUsage, Completion } from '../record/completion.ts'
import type { Target } from '../record/target.ts'
import type { Tokenizer } from '../../models/tokenizers/tokenizer.ts'
import type { Digest } from '../../cache/values/digest.ts'

/** Leave to make one call. */
export interface Reservation {
  /** The most that the call can cost as far as its request bounds it, US dollars; null without a price. */
  readonly bound: number | null
  /** The most that it is expected to cost: above the bound where calls of the deployment were seen to pass theirs. */
  readonly ceiling: number | null
  /** Tells what it cost, and so makes room for others. To be called however the call ends; the last word counts. */
  settle(usd: number): void
}

/** What one invocation may spend: every paid call asks it first. */
export interface Spending {
  /** Names the invocation in the ledger. */
  readonly run: string
  readonly priceOf: (deployment: string) => Price | undefined
  /**
   * Waits while calls in flight may leave no room under a cap. Undefined once a cap is reached, or when the run stops:
   * then nothing may be called.
   */
  reserve(deployment: ModelDeployment, request: CompletionRequest): Promise<Reservation | undefined>
  /** Whether a call that was given leave a while ago may still begin. */
  mayBegin(): Promise<boolean>
}

/** What paying for calls needs of the stages' environment. */
export interface SpendEnv {
  readonly store: Store
  readonly spending: Spending
  readonly listener: Listener
  /** Aborted first: no new work is begun. */
  readonly stop: AbortSignal
  /** Aborted a grace later: calls in flight are given up. */
  readonly abort: AbortSignal
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Whole milliseconds of a clock that nobody sets, for how long something took. */
  readonly clock: () => number
}

type Rates = Pick<Price, 'input' | 'cachedInput' | 'output'>

/** US dollars of one reply; null where price or usage is not known. Nothing to pay is known without tokens. */
export const usageCost = (usage: Usage | null | undefined, price: Rates | undefined): number | null => {
  if (price === undefined) return null
  if (price.input === 0 && price.output === 0) return 0
  return usage === null || usage === undefined ? null : costOf(price, usage)
}

/** The same of several replies; null, too, where the tokens of any of them are not known. */
export const observedCost = (usage: TokenUsage, price: Rates | undefined): number | null =>
  usageCost(usage.unknown > 0 ? null : usage, price)

/** The sum of costs; null where one of them is not known. */
export const sumOfCosts = (costs: readonly (number | null)[]): number | null =>
  costs.reduce<number | null>((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0)

/** What a chat template adds to a request, at most: its marks, and a preface such as Llama's date. */
export const TEMPLATE_TOKENS = 64

type Messages = Pick<CompletionRequest, 'messages'>
type Asked = Pick<ModelDeployment, 'client'>

/** UTF-8 bytes of a request's messages. */
export const promptBytes = ({ messages }: Messages): number =>
  messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0)

/** Tokens of a request's messages without the chat template. */
export const promptTokens = ({ messages }: Messages, tokenizer: Tokenizer): number =>
  messages.reduce((sum, { content }) => sum + tokenizer.count(content), 0)

/** The most input tokens that a request can be charged for; without its tokenizer one a byte. */
export const inputBound = (request: Messages, tokenizer: Tokenizer | undefined): number =>
  (tokenizer === undefined ? promptBytes(request) : promptTokens(request, tokenizer)) + TEMPLATE_TOKENS

const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const

/** The most tokens that all answers to a request can have, reasoning included. A deployment's `body` may ask for more. */
export const outputBound = (
  { maxTokens, n }: Pick<CompletionRequest, 'maxTokens' | 'n'>,
  { client }: Asked,
): number => {
  const body = (client.args['body'] ?? {}) as Readonly<Record<string, unknown>>
  const own = (name: string): number => (typeof body[name] === 'number' ? body[name] : 0)
  return Math.max(maxTokens, ...LIMITS.map(own)) * Math.max(n, own('n'))
}

/** The most that a call can cost, US dollars: nothing cached, each of its answers as long as it may be. */
export const callCeiling = (
  request: Pick<CompletionRequest, 'messages' | 'maxTokens' | 'n'>,
  deployment: Asked,
  price: Pick<Price, 'input' | 'output'>,
  tokenizer: Tokenizer | undefined,
): number =>
  // Where nothing is charged no prompt need be counted.
  price.input === 0 && price.output === 0
    ? 0
    : ceilingOf(price, {
        inputTokens: inputBound(request, tokenizer),
        maxTokens: outputBound(request, deployment),
      })

/** A request to a server as planning meets it. */
export interface PlannedCall {
  readonly target: Target
  /** Null for the model's own answer. */
  readonly judge: string | null
  readonly deployment: ModelDeployment
  readonly request: CompletionRequest
  /** Absent for a judge of an answer that is not there yet: the request then lacks that answer. */
  readonly digest?: Digest<'completion'>
  /** In the digest's place: equal for requests that will be equal once the answer is there. */
  readonly lacking?: string
  /** The stored reply; absent where it would have to be paid for. Judges' stored replies are not told. */
  readonly completion?: Completion
  /** Its end was left out, as the deployment's window is too small for it. */
  readonly isCut?: true
}

/** What tells it apart: equal requests share one call, and one reply, where they are kept in one store. */
export const callPlace = ({ target, digest, lacking }: PlannedCall): string | undefined => {
  const asked = digest ?? lacking
  return asked && `${target.spec.benchmark.access === 'public' ? 'open' : 'vault'} ${asked}`
}

/** What a run's events tell of money. US dollars. */
interface MoneyTally {
  readonly on: (event: Event) => void
  readonly result: () => Money
}

/** Sums leave out what is not known; the counts beside them tell of how many calls that is. */
export interface Money {
  readonly spent: number
  readonly unknownCalls: number
  /** The most that attempts without a reply may have cost; null where that is not known of one. */
  readonly uncertain: number | null
  readonly uncertainAttempts: number
  /** Replies that cost more than their requests allow, and by how much in all. */
  readonly overruns: number
  readonly overrun: number
  /** Replies whose token counts cannot be; their cost is not known. */
  readonly impossibleUsages: number
  /** What asking for the reused replies again would cost. */
  readonly saved: number
  readonly reused: number
  readonly unknownReused: number
}

export const createMoneyTally = (): MoneyTally => {
  let money: Money = {
    spent: 0,
    unknownCalls: 0,
    uncertain: 0,
    uncertainAttempts: 0,
    overruns: 0,
    overrun: 0,
    impossibleUsages: 0,
    saved: 0,
    reused: 0,
    unknownReused: 0,
  }
  return {
    on: (event) => {
      money = added(money, event)
    },
    result: () => money,
  }
}

const added = (money: Money, event: Event): Money => {
  switch (event.type) {
    case 'provider-call':
      return {
        ...money,
        spent: money.spent + (event.usd ?? 0),
        unknownCalls: money.unknownCalls + (event.usd === null ? 1 : 0),
      }
    case 'call-uncertain':
      return {
        ...money,
        uncertain: money.uncertain === null || event.usd === null ? null : money.uncertain + event.usd,
        uncertainAttempts: money.uncertainAttempts + 1,
      }
    case 'call-overran':
      return { ...money, overruns: money.overruns + 1, overrun: money.overrun + event.usd }
    case 'usage-impossible':
      return { ...money, impossibleUsages: money.impossibleUsages + 1 }
    case 'replies-reused':
      return {
        ...money,
        saved: money.saved + (event.usd ?? 0),
        reused: money.reused + event.replies,
        unknownReused: money.unknownReused + (event.usd === null ? event.replies : 0),
      }
    default:
      return money
  }
}
