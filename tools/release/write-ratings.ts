import { join } from 'node:path'
import type { CurrentRating } from '../../targets/ratings/current-ratings.ts'
import { releasedRatings } from '../../targets/ratings/released-ratings.ts'
import { writeWholeFile } from '../helm/write/staged-file.ts'
import { judgedTargets } from '../jury/judged-runs.ts'
import { exportedRows, type ExportedRow } from '../ratings/exported-rows.ts'
import { keptRatings, linkRatings } from '../ratings/kept-ratings.ts'
import { tellCut } from '../ratings/study-folder.ts'
import { ratableRun } from '../ratings/rated-runs.ts'
import type { SuiteTarget } from '../session/resolve-targets.ts'
import type { Session } from '../session/session.ts'

/** Ratings of a bundle, if it has any. */
export const RATINGS_FILE = 'ratings/ratings.jsonl'

/**
 * Clinicians' ratings of the released answers of public benchmarks: scores and digests, without comments, names and times.
 * Of other benchmarks there are none, whatever else of them is released.
 *
 * @returns how many are withheld, as too few of a rater
 */
export const writeRatings = async (
  bundle: string,
  targets: readonly SuiteTarget[],
  session: Session,
  warn: (text: string) => void,
): Promise<number> => {
  const open = targets.filter(
    ({ target: { spec } }) => spec.benchmark.access === 'public' && spec.benchmark.jury !== undefined,
  )
  if (open.length === 0) return 0
  const runs = []
  for (const run of await judgedTargets(open, session, () => undefined, { takesItems: true }))
    runs.push(await ratableRun(run, session))
  const kept = keptRatings(session.workspace.root)
  tellCut(kept.logs, warn)
  const { found } = linkRatings(kept, runs)
  const ratings = found.map(({ rating }) => rating).toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const all = exportedRows(ratings, { runs, comments: new Map() })
  const rows = releasedRatings(all)
  const raters = [...new Set(rows.map(({ rater }) => rater))].toSorted()
  const lines = rows.map((row) => `${JSON.stringify(released(row, `r${raters.indexOf(row.rater) + 1}`))}\n`)
  if (lines.length > 0) await writeWholeFile(join(bundle, RATINGS_FILE), lines)
  return all.length - rows.length
}

const placeOf = ({ rater, subject: { benchmark, instance, answer } }: CurrentRating): string =>
  JSON.stringify([benchmark, instance, answer, rater])

const released = (
  { benchmark, model, instance_id, instance, answer, rubric, scores, composite, jury, safety }: ExportedRow,
  rater: string,
): object => ({
  rater,
  benchmark,
  model,
  instance_id,
  instance,
  answer,
  rubric,
  scores,
  composite,
  jury,
  safety,
})
