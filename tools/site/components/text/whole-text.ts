import { useState } from 'preact/hooks'
import type { ShownText } from '../../pages/run/instances/instance-view.ts'

/** Fetches a chunk of the page by its key. */
export type LoadChunk = (key: string) => Promise<unknown>

/** A text with what was cut off it. Rejects where a chunk can't be loaded. */
export const wholeText = async (text: ShownText, load: LoadChunk): Promise<string> =>
  typeof text === 'string' ? text : `${text.head}${(await Promise.all(text.rest.map(load))).join('')}`

/** A text and where its rest is had. */
export interface CutText {
  readonly text: ShownText
  readonly load: LoadChunk
}

/** Texts of which some may be cut, and what gets their rest. */
export interface WholeTexts {
  /** Undefined until all of them are whole. */
  readonly texts: readonly string[] | undefined
  readonly state: 'cut' | 'loading' | 'failed' | 'whole'
  readonly show: () => void
}

/** Gets what was cut off some texts once it is asked for; the same texts as long as the component stands. */
export const useWholeTexts = (cut: readonly CutText[]): WholeTexts => {
  const [loaded, setLoaded] = useState<readonly string[]>()
  const [state, setState] = useState<'cut' | 'loading' | 'failed'>('cut')
  const known = cut.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  const texts = known.length === cut.length ? known : loaded
  return {
    texts,
    state: texts === undefined ? state : 'whole',
    show: () => {
      setState('loading')
      Promise.all(cut.map(({ text, load }) => wholeText(text, load))).then(setLoaded, () =>
        setState('failed'),
      )
    },
  }
}
