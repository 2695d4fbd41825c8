import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** How many whole pixels wide an element is; undefined until it is on the page. */
export const useWidth = (): {
  readonly place: RefObject<HTMLDivElement | null>
  readonly width: number | undefined
} => {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState<number>()
  useLayoutEffect(() => {
    const element = place.current
    if (element === null) return undefined
    const measure = (): void => setWidth(Math.floor(element.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { place, width }
}
