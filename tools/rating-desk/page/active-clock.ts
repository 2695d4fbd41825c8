/** Without a key or a pointer for so long, nobody is there. */
const IDLE_MS = 120_000

/** Counts the milliseconds that a page is looked at: visible, not paused, something done within two minutes. */
export class ActiveClock {
  #spent = 0
  #since: number | undefined
  #last = 0
  #paused = false

  constructor() {
    for (const name of ['keydown', 'pointerdown', 'pointermove', 'scroll', 'wheel'])
      addEventListener(name, () => this.#touch(), { passive: true, capture: true })
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#stop() : this.#touch()))
  }

  /** Begins a new item. */
  restart(): void {
    this.#spent = 0
    this.#since = undefined
    this.#touch()
  }

  pause(): void {
    this.#stop()
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#touch()
  }

  /** Whole milliseconds since the item began. */
  get spent(): number {
    const now = performance.now()
    const running = this.#since === undefined ? 0 : Math.min(now, this.#last + IDLE_MS) - this.#since
    return Math.max(0, Math.round(this.#spent + running))
  }

  #touch(): void {
    if (this.#paused || document.hidden) return
    const now = performance.now()
    if (this.#since !== undefined && now > this.#last + IDLE_MS) this.#stop()
    this.#since ??= now
    this.#last = now
  }

  #stop(): void {
    this.#spent = this.spent
    this.#since = undefined
  }
}
