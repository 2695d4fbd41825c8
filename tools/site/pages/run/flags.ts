import { signal } from '@preact/signals'
import { csvOf } from '../../downloads/table-files.ts'

/** An instance that a reader marked. */
export interface InstanceFlag {
  readonly suite: string
  readonly run: string
  readonly instance: string
  /** From 1. */
  readonly trial: string
  readonly note: string
}

type FlagKey = Omit<InstanceFlag, 'note'>

const KEPT_AS = 'medmake flags'

const keyOf = ({ suite, run, instance, trial }: FlagKey): string =>
  JSON.stringify([suite, run, instance, trial])

/** Flags stay in the reader's browser; where it keeps nothing, on the page. */
const read = (): readonly InstanceFlag[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT_AS) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isFlag) : []
  } catch {
    return []
  }
}

const isFlag = (value: unknown): value is InstanceFlag =>
  typeof value === 'object' &&
  value !== null &&
  ['suite', 'run', 'instance', 'trial', 'note'].every(
    (name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'string',
  )

export const flags = signal<readonly InstanceFlag[]>([])
/** False where the browser stores nothing: flags then last as long as the page. */
export const areKept = signal(true)

/** Takes up what the browser kept, also what another page of the site adds meanwhile. */
export const followFlags = (): void => {
  flags.value = read()
  addEventListener('storage', () => {
    flags.value = read()
  })
}

const keep = (changed: readonly InstanceFlag[]): void => {
  flags.value = changed
  try {
    localStorage.setItem(KEPT_AS, JSON.stringify(changed))
    areKept.value = true
  } catch {
    areKept.value = false
  }
}

export const flagOf = (all: readonly InstanceFlag[], key: FlagKey): InstanceFlag | undefined =>
  all.find((flag) => keyOf(flag) === keyOf(key))

/** Marks an instance, or alters its note. */
export const setFlag = (flag: InstanceFlag): void => {
  const known = flagOf(flags.value, flag)
  keep(
    known === undefined ? [...flags.value, flag] : flags.value.map((each) => (each === known ? flag : each)),
  )
}

/** Its note comes back with the flag as long as the page is open: a key pressed by mistake costs no words. */
export const removeFlag = (key: FlagKey): void => {
  notes.set(keyOf(key), flagOf(flags.value, key)?.note ?? '')
  keep(flags.value.filter((flag) => keyOf(flag) !== keyOf(key)))
}

const notes = new Map<string, string>()

/** What was noted before its flag was taken away. */
export const formerNote = (key: FlagKey): string => notes.get(keyOf(key)) ?? ''

/** All flags, of whatever run. */
export const flagsCsv = (all: readonly InstanceFlag[]): string =>
  csvOf({
    name: 'flags',
    head: ['suite', 'run', 'instance', 'trial', 'note'],
    rows: all.map(({ suite, run, instance, trial, note }) => [suite, run, instance, trial, note]),
  })
