import { useEffect, useRef } from 'preact/hooks'

/** Keys of the desk act where nothing is typed: not in text fields, not in dialogs, not with a modifier. */
export const useKeys = (actions: Readonly<Record<string, () => void>>, isOn: boolean): void => {
  const current = useRef({ actions, isOn })
  current.current = { actions, isOn }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null)
        return
      if (!(target instanceof Element) || target.matches('textarea, select, input[type="text"]')) return
      // What has the focus does what Enter does to it.
      if (event.key === 'Enter' && target.matches('button, summary, a, input[type="file"]')) return
      if (event.key !== 'Enter' && !current.current.isOn) return
      const action = current.current.actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
