import { useEffect, useState } from 'preact/hooks'

/** Whether a media query holds, as the window has it now. */
export const useMatches = (query: string): boolean => {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const follow = (): void => setHolds(list.matches)
    follow()
    list.addEventListener('change', follow)
    return () => list.removeEventListener('change', follow)
  }, [query])
  return holds
}
