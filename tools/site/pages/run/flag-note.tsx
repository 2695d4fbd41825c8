import type { JSX } from 'preact'
import { areKept, type InstanceFlag } from './flags.ts'

export interface FlagNoteProps {
  readonly flag: InstanceFlag | undefined
  readonly onFlag: () => void
  readonly onNote: (note: string) => void
}

/** Marks an instance, with a note. */
export const FlagNote = ({ flag, onFlag, onNote }: FlagNoteProps): JSX.Element => (
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
