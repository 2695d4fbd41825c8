import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { problemText, type Desk, type DeskState } from '../desk.ts'
import { Rating } from './rating.tsx'
import { Secret } from './secret.tsx'

type View =
  | { readonly kind: 'locked'; readonly problem: string }
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly state: DeskState }
  | { readonly kind: 'over'; readonly problem: string }

/** The desk, from its opening on. */
export const App = ({ desk }: { readonly desk: Desk }): JSX.Element => {
  const [view, setView] = useState<View>(
    desk.isSealed ? { kind: 'locked', problem: '' } : { kind: 'opening' },
  )
  const open = (secret: string, copy?: string): void => {
    setView({ kind: 'opening' })
    desk.open(secret, copy).then(
      (state) => setView({ kind: 'open', state }),
      (error: unknown) => {
        const problem = problemText(error)
        setView(desk.isSealed ? { kind: 'locked', problem } : { kind: 'over', problem })
      },
    )
  }
  useEffect(() => {
    if (!desk.isSealed) open('')
  }, [])
  if (view.kind === 'open')
    return <Rating desk={desk} state={view.state} onOver={(problem) => setView({ kind: 'over', problem })} />
  return (
    <>
      <header>
        <h1>Rating desk</h1>
      </header>
      <main class="done">
        {view.kind === 'locked' ? <Secret problem={view.problem} onSecret={open} /> : null}
        {view.kind === 'opening' ? <p role="status">Opening …</p> : null}
        {view.kind === 'over' ? <p role="alert">{view.problem}</p> : null}
      </main>
    </>
  )
}
