import { useEffect, useState } from 'preact/hooks'

/** @param isWanted whether its key is still the one that is asked for */
type Load<Found> = (isWanted: () => boolean) => Promise<Found>

/**
 * What a key's promise gives: undefined while it loads, null where it can't be loaded, and never that of an earlier key.
 * @param key undefined where there is nothing to load
 */
export const useLoaded = <Found>(key: string | undefined, load: Load<Found>): Found | null | undefined => {
  const known = useLastLoaded(key, load)
  return known !== undefined && known.key === key ? known.found : undefined
}

/** The same with the key that it is of: what was loaded last stays until the next is there, so that a page does not jump. */
export const useLastLoaded = <Found>(
  key: string | undefined,
  load: Load<Found>,
): { readonly key: string; readonly found: Found | null } | undefined => {
  const [known, setKnown] = useState<{ readonly key: string; readonly found: Found | null }>()
  useEffect(() => {
    if (key === undefined) return undefined
    let wanted = true
    load(() => wanted).then(
      (found) => wanted && setKnown({ key, found }),
      () => wanted && setKnown({ key, found: null }),
    )
    return () => {
      wanted = false
    }
  }, [key])
  return known
}
