import type { JSX } from 'preact'
import { save } from '../../site/client/save.ts'
import type { Desk } from '../desk.ts'

/** Of a sealed file: everything that was rated so far, as a file on this machine. */
export const SaveCopy = ({ desk, label }: { readonly desk: Desk; readonly label: string }): JSX.Element => (
  <button
    type="button"
    class={label === 'Save a copy' ? '' : 'main'}
    onClick={() => {
      void saveFile(desk)
    }}
  >
    {label}
  </button>
)

const saveFile = async (desk: Desk): Promise<void> => {
  const file = await desk.file?.()
  if (file === undefined) return
  save(file.name, 'application/json', file.text)
}
