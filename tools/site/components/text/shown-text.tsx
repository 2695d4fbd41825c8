import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { formatCount } from '../../../../cache/words/number-text.ts'
import type { ShownText as Shown } from '../../pages/run/instances/instance-view.ts'
import { visibleText } from '../../visible-text.ts'
import { useWholeTexts, type CutText, type LoadChunk, type WholeTexts } from './whole-text.ts'

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
  const whole = useWholeTexts([{ text, load }])
  const shown = useRef<HTMLDivElement>(null)
  // The button goes, and leaves the focus to what it showed.
  useEffect(() => {
    if (document.activeElement === document.body) shown.current?.focus({ preventScroll: true })
  }, [whole.texts])
  if (whole.texts !== undefined)
    return (
      <div ref={shown} tabIndex={-1}>
        <Verbatim text={whole.texts[0] ?? ''} />
      </div>
    )
  return (
    <>
      <Verbatim text={`${text.head}…`} />
      <WholeOffer of={whole} text={`Show all ${formatCount(text.length)} characters`} />
    </>
  )
}

/** Offers what was cut off texts; nothing where they are whole. */
export const WholeOffer = ({
  of: { state, show },
  text,
}: {
  readonly of: WholeTexts
  readonly text: string
}): JSX.Element | null =>
  state === 'whole' ? null : (
    <>
      <button type="button" class="more" onClick={state === 'loading' ? undefined : show}>
        {text}
      </button>
      {state === 'failed' ? <p class="warning">The rest could not be loaded.</p> : null}
    </>
  )
