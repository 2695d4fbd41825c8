import { asJson } from '../../cache/stored-shape.ts'
import type { Store } from '../../cache/store.ts'
import type { JudgedScores } from '../jury/study/dropout.ts'
import type { JudgeCoverage } from '../jury/judge-coverage.ts'

/** Raised when the same judgements give another summary. */
const VERSION = 2

/** What a site tells of a run's judgements. */
export interface JudgedSummary {
  readonly run: JudgedScores
  readonly judges: readonly JudgeCoverage[]
}

interface Stored {
  readonly run: Omit<JudgedScores, 'without'> & {
    readonly without: readonly (readonly [judge: string, mean: number])[]
  }
  readonly judges: readonly JudgeCoverage[]
}

/** Kept by the record's digest: judgements are many, boards are often made. */
export const storedJudgedRun = async (
  digest: string,
  store: Store,
  judged: () => Promise<JudgedSummary>,
): Promise<JudgedSummary> => {
  const id = `judged:${VERSION}:${digest}`
  const known = store.get('files', id) as Stored | undefined
  if (known !== undefined) return { ...known, run: { ...known.run, without: new Map(known.run.without) } }
  const made = await judged()
  // No mean without a judgement, and nothing that would be dear to read again.
  if (made.run.requests === 0) return made
  const kept: Stored = { ...made, run: { ...made.run, without: [...made.run.without] } }
  await store.put('files', id, asJson(kept))
  return made
}
