import { aborted, ClientError } from './calls/client.ts'
import { isUnreached, mayLast } from './calls/failure.ts'
import { sleep } from './sleep.ts'

/** How it is found out whether a deployment answers. */
export interface Check {
  /** One small call. @throws ClientError */
  readonly call: () => Promise<unknown>
  /** How often a server that did answer is looked for again. */
  readonly attempts: number
  readonly signal: AbortSignal
  readonly onStopped: (error: ClientError) => void
}

/** Milliseconds before a server that never answered is looked for a second time. */
const FIRST_LOOK = 1000
/** Before one that did is; twice as long each time, as it may be starting again. */
const LOOK_AGAIN = 500
/** Failures in a row before the next check, at most. */
const LONGEST_ROW = 64

/**
 * Whether a deployment answers at all, found out once for all calls to it: four hundred calls to a server that is down
 * need not each try six times.
 */
export class Availability {
  #stopped: ClientError | undefined
  #checking: Promise<void> | undefined
  #answers = 0
  /** Doubtful failures since the last answer, and how many of them call for a check. */
  #row = 0
  #longest = 1

  /** False while a check is under way and once the deployment was stopped. */
  isOpen(): boolean {
    return this.#stopped === undefined && this.#checking === undefined
  }

  /** Resolves when a call may be tried. @throws ClientError why the deployment was stopped, `call/aborted` */
  async open(signal: AbortSignal): Promise<void> {
    // A check that ends in a problem of its own is told to whoever asked for it.
    await this.#checking?.catch(() => undefined)
    if (signal.aborted) throw aborted()
    if (this.#stopped !== undefined) throw notAsked(this.#stopped)
  }

  /** Tells that the server answered a call, with a reply or with a failure of that call alone. */
  answered(): void {
    this.#answers += 1
    this.#row = 0
  }

  /**
   * Tells a failure that all calls may meet. Resolves once a check has shown whether they do.
   * @throws ClientError why the deployment was stopped; ProblemError of the check
   */
  async doubted(failure: ClientError, check: Check): Promise<void> {
    if (this.#stopped !== undefined) throw this.#stopped
    this.#row += 1
    // A gateway may forbid (403) single prompts: after a check that went well it takes more of them for the next.
    if (this.#checking === undefined && this.#row >= this.#longest)
      this.#checking = this.#check(isUnreached(failure), check).finally(() => {
        this.#checking = undefined
      })
    await this.#checking
    if (this.#stopped !== undefined) throw this.#stopped
  }

  async #check(unreached: boolean, { call, attempts, signal, onStopped }: Check): Promise<void> {
    const before = this.#answers
    const looks = unreached && before > 0 ? Math.max(1, attempts - 1) : 1
    for (let look = 1; ; look += 1) {
      if (unreached) await sleep(before > 0 ? LOOK_AGAIN * 2 ** (look - 1) : FIRST_LOOK, signal)
      const failure = await failureOf(call)
      // Calls that were under way may have been answered meanwhile.
      if (failure === undefined || !mayLast(failure) || this.#answers > before) {
        this.answered()
        this.#longest = unreached ? 1 : Math.min(LONGEST_ROW, this.#longest * 2)
        return
      }
      if (look < looks && isUnreached(failure)) continue
      this.#stopped = failure
      onStopped(failure)
      return
    }
  }
}

const failureOf = async (call: () => Promise<unknown>): Promise<ClientError | undefined> => {
  try {
    await call()
    return undefined
  } catch (error) {
    if (error instanceof ClientError) return error
    throw error
  }
}

const notAsked = (stopped: ClientError): ClientError =>
  new ClientError(stopped.code, `not asked, for the deployment does not answer: ${stopped.message}`, {
    retriable: false,
    ...(stopped.status === undefined ? {} : { status: stopped.status }),
    cause: stopped,
  })
