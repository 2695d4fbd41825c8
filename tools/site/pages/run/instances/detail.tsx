import type { JSX } from 'preact'
import { useLastLoaded } from '../../../client/use-loaded.ts'
import type { LoadChunk } from '../../../components/text/whole-text.ts'
import { Instance, type MeasuredBy } from './instance.tsx'
import { loadRows } from './load-rows.ts'
import type { InstanceIndex } from '../run-index.ts'
import { OtherAnswers, type Siblings } from './other-answers.tsx'
import { areKept, type InstanceFlag } from '../flags.ts'

interface DetailProps {
  readonly row: number
  readonly index: InstanceIndex
  readonly load: LoadChunk
  readonly about: MeasuredBy
  readonly href: string
  readonly flag: FlagNoteProps
  /** Undefined where no other model's answers lie beside the page. */
  readonly siblings: Siblings | undefined
  /** Asks for the instance before or after; undefined at the end. */
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

/** Everything about the chosen instance. */
export const Detail = (props: DetailProps): JSX.Element => {
  const { row, index, load, about, href, flag, siblings, onPrevious, onNext } = props
  const view = useLastLoaded(String(row), async () => {
    const [instance] = await loadRows([row], index, load)
    return instance ?? null
  })
  return (
    <div class="instance-detail" aria-busy={view?.key !== String(row)}>
      <div class="detail-actions" role="group" aria-label="This instance">
        <Step label="← Previous" onStep={onPrevious} />
        <Step label="Next →" onStep={onNext} />
        <FlagNote {...flag} />
      </div>
      {view === undefined ? <p class="detail">Loading…</p> : null}
      {view?.found === null ? <p class="warning">This instance could not be loaded.</p> : null}
      {view?.found == null ? null : (
        <>
          <Instance key={view.key} href={href} instance={view.found} about={about} load={load} />
          {siblings === undefined ? null : (
            <OtherAnswers key={`others ${view.key}`} siblings={siblings} instance={view.found} />
          )}
        </>
      )}
    </div>
  )
}

/** At an end it does nothing, and keeps the focus. */
const Step = ({
  label,
  onStep,
}: {
  readonly label: string
  readonly onStep: (() => void) | undefined
}): JSX.Element => (
  <button type="button" class="button" aria-disabled={onStep === undefined} onClick={onStep}>
    {label}
  </button>
)

interface FlagNoteProps {
  readonly flag: InstanceFlag | undefined
  readonly onFlag: () => void
  readonly onNote: (note: string) => void
}

/** Marks an instance, with a note. */
const FlagNote = ({ flag, onFlag, onNote }: FlagNoteProps): JSX.Element => (
  <>
    <button type="button" class="button" aria-pressed={flag !== undefined} onClick={onFlag}>
      ⚑ Flag
    </button>
    {flag === undefined ? null : (
      <label class="choice flag-note">
        <span>{areKept.value ? 'Note, kept in this browser' : 'Note, lost when this page is closed'}</span>
        <input type="text" value={flag.note} onInput={({ currentTarget }) => onNote(currentTarget.value)} />
      </label>
    )}
  </>
)
