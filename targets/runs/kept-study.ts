import { asJson, storedShape } from '../../cache/stored-shape.ts'
import { digestOf } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import type { Store } from '../../cache/store.ts'

/** Raised when a study of the same runs comes out otherwise. */
const VERSION = 2

/** What commands find out about judges by ratings or by asking again; numbers alone, of no single answer. */
type StudyKind = 'clinicians' | 'repeats'

const idOf = (kind: StudyKind, record: string): string =>
  `study:${VERSION}:${digestOf<'text'>(JSON.stringify([kind, record]))}`

interface KeptStudy {
  readonly records: readonly string[]
  readonly study: Json
}

const readStudy = storedShape<KeptStudy>('a study of judges', { records: 'list' })

/** Keeps a study of runs for the board, which shows it as long as it shows these very records. */
export const keepStudy = async (
  kind: StudyKind,
  records: readonly string[],
  study: Json,
  store: Store,
): Promise<void> => {
  const kept: KeptStudy = { records, study }
  for (const record of records) await store.put('files', idOf(kind, record), asJson(kept))
}

/** Of runs of which nothing is said any more, as ratings were taken back. */
export const forgetStudies = async (
  kind: StudyKind,
  records: readonly string[],
  store: Store,
): Promise<void> => {
  for (const record of records) await store.remove('files', idOf(kind, record))
}

/** The last study that is of these records alone; undefined without one. */
export const keptStudy = (kind: StudyKind, records: readonly string[], store: Store): Json | undefined => {
  const own = new Set(records)
  for (const record of records) {
    const kept = readStudy(store.get('files', idOf(kind, record)))
    if (kept?.records.every((each) => own.has(each)) === true) return kept.study
  }
  return undefined
}
