interface InstanceActions {
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly onFlag: () => void
}

/** j and k go to the next and the previous instance, f flags, / searches; nothing while the reader writes. */
export const followInstanceKeys = ({ onPrevious, onNext, onFlag }: InstanceActions): (() => void) => {
  const actions: Readonly<Record<string, (() => void) | undefined>> = {
    j: onNext,
    k: onPrevious,
    f: onFlag,
    '/': () => document.querySelector<HTMLElement>('.field-words input')?.focus(),
  }
  const follow = (event: KeyboardEvent): void => {
    const writes = event.target instanceof HTMLElement && event.target.matches('input, select, textarea')
    if (writes || event.ctrlKey || event.metaKey || event.altKey) return
    const action = actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }
  addEventListener('keydown', follow)
  return () => removeEventListener('keydown', follow)
}
