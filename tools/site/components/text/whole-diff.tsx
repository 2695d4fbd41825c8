import type { JSX } from 'preact'
import type { WholeTexts } from './whole-text.ts'

/** Offers the words that differ of texts that are cut; nothing where they are whole. */
export const WholeDiffOffer = ({
  of: { state, show },
  text,
}: {
  readonly of: WholeTexts
  readonly text: string
}): JSX.Element | null =>
  state === 'whole' ? null : (
    <>
      <button type="button" class="more" onClick={show} disabled={state === 'loading'}>
        {text}
      </button>
      {state === 'failed' ? <p class="warning">The rest could not be loaded.</p> : null}
    </>
  )
