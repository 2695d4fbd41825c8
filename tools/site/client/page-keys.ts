/**
 * Keys that act on a page, but for what a reader writes: there Escape alone does. With Ctrl, Alt and the like they are the
 * browser's.
 * @returns what ends it
 */
export const followPageKeys = (actions: Readonly<Record<string, (() => void) | undefined>>): (() => void) => {
  const follow = (event: KeyboardEvent): void => {
    const writes = event.target instanceof HTMLElement && event.target.matches('input, select, textarea')
    if ((writes && event.key !== 'Escape') || event.ctrlKey || event.metaKey || event.altKey) return
    const action = actions[event.key]
    if (action === undefined) return
    if (event.key !== 'Escape') event.preventDefault()
    action()
  }
  addEventListener('keydown', follow)
  return () => removeEventListener('keydown', follow)
}
