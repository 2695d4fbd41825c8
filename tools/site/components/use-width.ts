import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** How many pixels wide an element is; 0 until it is on the page. */
export const useWidth = <Kind extends HTMLElement>(): {
  readonly place: RefObject<Kind | null>
  readonly width: number
} => {
  const place = useRef<Kind>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (place.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return { place, width }
}
