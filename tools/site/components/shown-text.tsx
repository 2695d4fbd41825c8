import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { formatCount } from '../../compare/number-text.ts'
import type { ShownText as Shown } from '../pages/run/instances/instance-view.ts'
import { visibleText } from '../visible-text.ts'

/** Fetches a chunk of the page by its key. */
export type LoadChunk = (key: string) => Promise<unknown>

interface ShownTextProps {
  readonly text: Shown
  readonly load: LoadChunk
}

/**
 * A text of an instance, never taken for markup. Its direction is its own: right-to-left text does not turn
 * what stands around it.
 */
export const ShownText = ({ text, load }: ShownTextProps): JSX.Element =>
  typeof text === 'string' ? <Verbatim text={text} /> : <LongText text={text} load={load} />

export const Verbatim = ({ text }: { readonly text: string }): JSX.Element =>
  text === '' ? (
    <p class="empty">(empty)</p>
  ) : (
    <div class="verbatim" dir="auto">
      {visibleText(text)}
    </div>
  )

const LongText = ({
  text,
  load,
}: {
  readonly text: Exclude<Shown, string>
  readonly load: LoadChunk
}): JSX.Element => {
  const [rest, setRest] = useState<string | undefined>()
  const [state, setState] = useState<'cut' | 'loading' | 'failed'>('cut')
  const show = (): void => {
    setState('loading')
    Promise.all(text.rest.map(load)).then(
      (parts) => setRest(parts.join('')),
      () => setState('failed'),
    )
  }
  if (rest !== undefined) return <Verbatim text={text.head + rest} />
  return (
    <>
      <Verbatim text={`${text.head}…`} />
      <button type="button" class="more" onClick={show} disabled={state === 'loading'}>
        Show all {formatCount(text.length)} characters
      </button>
      {state === 'failed' ? <p class="warning">The rest could not be loaded.</p> : null}
    </>
  )
}
