import { signal, type ReadonlySignal } from '@preact/signals'
import { holdsState, readUrlState, unknownFields, urlStateText, type UrlFields } from '../url-state.ts'

export interface BoundUrlState<Fields extends UrlFields> {
  readonly state: ReadonlySignal<Fields>
  /** Names of fields that the address holds and the page does not know. */
  readonly unknown: ReadonlySignal<readonly string[]>
  /** Changes some fields; the address follows, and Back undoes it. */
  readonly change: (some: Partial<Fields>) => void
  /** The same without a step for Back: for what readers leaf through. */
  readonly replace: (some: Partial<Fields>) => void
  readonly reset: () => void
  /** Takes the state from the address, now and whenever that changes; until then it is the defaults. */
  readonly follow: () => void
}

/** A page's state, bound to its address in both directions. One a page. */
export const boundUrlState = <Fields extends UrlFields>(defaults: Fields): BoundUrlState<Fields> => {
  const state = signal(defaults)
  const unknown = signal<readonly string[]>([])
  const read = (): void => {
    if (!holdsState(location.hash)) return
    unknown.value = unknownFields(location.hash, defaults)
    state.value = readUrlState(location.hash, defaults)
  }
  const set = (next: Fields, keep: 'pushState' | 'replaceState' = 'pushState'): void => {
    const text = urlStateText(next, defaults)
    if (text !== urlStateText(state.value, defaults) || unknown.value.length > 0)
      history[keep](null, '', text === '' ? '#' : text)
    unknown.value = []
    state.value = next
  }
  return {
    state,
    unknown,
    change: (some) => set({ ...state.value, ...some }),
    replace: (some) => set({ ...state.value, ...some }, 'replaceState'),
    reset: () => set(defaults),
    follow: () => {
      read()
      addEventListener('popstate', read)
      addEventListener('hashchange', read)
    },
  }
}
