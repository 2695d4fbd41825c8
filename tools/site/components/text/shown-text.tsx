import type { JSX } from 'preact'
import { formatCount } from '../../../compare/number-text.ts'
import type { ShownText as Shown } from '../../pages/run/instances/instance-view.ts'
import { visibleText } from '../../visible-text.ts'
import { useWholeTexts, type CutText, type LoadChunk } from './whole-text.ts'

/**
 * A text of an instance, never taken for markup. Its direction is its own: right-to-left text does not turn
 * what stands around it.
 */
export const ShownText = ({ text, load }: CutText): JSX.Element =>
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
  const { texts, state, show } = useWholeTexts([{ text, load }])
  if (texts !== undefined) return <Verbatim text={texts[0] ?? ''} />
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
