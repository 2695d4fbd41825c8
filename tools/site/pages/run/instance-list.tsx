import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { LoadChunk } from '../../components/shown-text.tsx'
import { Instance } from './instance.tsx'
import type { InstanceView } from './instance-view.ts'
import { loadRows } from './load-rows.ts'
import type { RunIndex } from './run-index.ts'

interface InstanceListProps {
  readonly rows: readonly number[]
  readonly index: RunIndex
  readonly load: LoadChunk
  readonly mainMetric: string
  /** The row that the address links to. */
  readonly linked: number | undefined
  readonly hrefOf: (instance: InstanceView) => string
  /** Asks for the instance so many after that row. */
  readonly onStep: (row: number, step: 1 | -1) => void
}

interface Loaded {
  readonly rows: readonly number[]
  /** Undefined: a chunk could not be loaded. */
  readonly instances: readonly InstanceView[] | undefined
}

/** The instances of a page, loaded when they are asked for. */
export const InstanceList = ({
  rows,
  index,
  load,
  mainMetric,
  linked,
  hrefOf,
  onStep,
}: InstanceListProps): JSX.Element => {
  const loaded = useRows(rows, index, load)
  const focused = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (linked === undefined || focused.current === linked || !loaded?.rows.includes(linked)) return
    focused.current = linked
    document.getElementById(headingOf(linked))?.focus()
  }, [linked, loaded])
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rowOfElement(event.target)
    const step = STEPS[event.key]
    if (row === undefined || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onStep(row, step)
  }
  if (loaded === undefined) return <p class="detail">Loading…</p>
  return (
    <div onKeyDown={onKeyDown} aria-busy={loaded.rows !== rows}>
      {loaded.instances === undefined ? (
        <p class="warning">These instances could not be loaded.</p>
      ) : (
        loaded.instances.map((instance, at) => (
          <Instance
            key={loaded.rows[at]}
            id={headingOf(loaded.rows[at] ?? 0)}
            href={hrefOf(instance)}
            instance={instance}
            mainMetric={mainMetric}
            load={load}
          />
        ))
      )}
    </div>
  )
}

const STEPS: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 }

const headingOf = (row: number): string => `row-${row}`

/** Keys mean something only while an instance has the focus, and nothing while the reader writes. */
const rowOfElement = (target: EventTarget | null): number | undefined => {
  const heading = target instanceof Element ? target.closest('.instance')?.querySelector('h3') : undefined
  const row = Number(heading?.id.replace('row-', '') ?? NaN)
  return Number.isNaN(row) ? undefined : row
}

const useRows = (rows: readonly number[], index: RunIndex, load: LoadChunk): Loaded | undefined => {
  const [loaded, setLoaded] = useState<Loaded>()
  useEffect(() => {
    let wanted = true
    const show = async (): Promise<void> => {
      const instances = await loadRows(rows, index, load).catch(() => undefined)
      if (wanted) setLoaded({ rows, instances })
    }
    void show()
    return () => {
      wanted = false
    }
  }, [rows.join(' '), index])
  return loaded
}
