import { parsedJson } from '../../cache/values/json.ts'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isThere, readFileSync } from '../../cache/files/read.ts'
import { makeSyncedFolder } from '../../cache/files/folders.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { replaceFile } from '../../cache/files/write.ts'
import { parseYaml } from '../../cache/problems/yaml-document.ts'
import { checkDocument } from '../../cache/problems/zod-problems.ts'
import { CONSENSUS, KEPT_STUDY, RATER, studyDigest, type Study } from '../../targets/ratings/study.ts'
import type { RatingEvent } from '../../targets/ratings/event.ts'
import { readLog, RatingLog } from './rating-log.ts'
import { keepEnd, lostEnd, markedRaters, markedStudies } from './log-ends.ts'

/** Plans and ratings of a workspace: digests and scores, so that they may lie in git. */
const folderOf = (root: string): string => join(root, 'ratings')

const planFile = (root: string, study: string): string => join(folderOf(root), study, 'study.json')

/** @throws ProblemError `ratings/damaged-log`, `ratings/cut-log` */
export const openLog = (root: string, study: string, rater: string): RatingLog => {
  const file = logFile(root, study, rater)
  const name = logName(study, rater)
  const log = new RatingLog(file, (last) => keepEnd(root, name, last))
  const cut = lostEnd(root, name, log.events)
  if (cut === undefined) return log
  throw new ProblemError({
    code: 'ratings/cut-log',
    message: cut,
    where: { file },
    remedy: 'What is added now would keep it from that.',
  })
}

export const logFile = (root: string, study: string, rater: string): string =>
  join(folderOf(root), logName(study, rater))

/** The consensus has a folder of its own: who looks for raters does not meet it. */
const logName = (study: string, rater: string): string =>
  `${study}/${rater === CONSENSUS ? 'consensus/ratings' : rater}.jsonl`

/** Studies that have a plan or ratings, sorted. */
export const listStudies = (root: string): readonly string[] =>
  existsSync(folderOf(root))
    ? readdirSync(folderOf(root), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && RATER.test(entry.name))
        .map(({ name }) => name)
        .toSorted()
    : []

/** Those, and whose ratings of this machine are gone. */
export const ratedStudies = (root: string): readonly string[] =>
  [...new Set([...listStudies(root), ...markedStudies(root)])].toSorted()

/** Raters of a study who have a log, or had one here, sorted. @throws ProblemError `ratings/no-study` */
const ratersWithLogs = (root: string, study: string): readonly string[] => {
  const folder = join(folderOf(root), study)
  const had = markedRaters(root, study)
  if (!isThere(folder) && had.length === 0) throw noStudy(root, study)
  const logs = isThere(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []
  return [...new Set([...logs.map((name) => basename(name, '.jsonl')), ...had])].toSorted()
}

/** Raters of a study's plan, and who has a log. */
export const knownRaters = (root: string, study: string): readonly string[] => [
  ...(readPlan(root, study)?.raters ?? []).map(({ name }) => name),
  ...(listStudies(root).includes(study) ? ratersWithLogs(root, study) : []),
]

/** Undefined for a study of imported ratings alone. @throws ProblemError for a plan that was changed by hand */
export const readPlan = (root: string, study: string): Study | undefined => {
  const file = planFile(root, study)
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  const { digest, ...plan } =
    KEPT_STUDY.safeParse(parsedJson(text)).data ??
    // The slow way names line and column.
    checkDocument(KEPT_STUDY, parseYaml(text, file, { room: 'ratings' }), 'ratings')
  if (plan.id === study && digest === studyDigest(plan)) return plan
  throw new ProblemError({
    code: 'ratings/changed-plan',
    message: 'the plan is not as it was drawn',
    where: { file },
    remedy:
      'Put the file back from a copy, such as that of git: what is estimated rests on the draw. `medmake rate plan` extends a plan.',
  })
}

export const writePlan = (root: string, plan: Study): string => {
  const file = planFile(root, plan.id)
  makeSyncedFolder(join(folderOf(root), plan.id))
  // Alike, whether what it tells was drawn now or read from it.
  const kept = KEPT_STUDY.parse({ ...plan, digest: studyDigest(plan) })
  replaceFile(file, `${JSON.stringify(kept, null, 1)}\n`)
  return file
}

/** @throws ProblemError `ratings/no-study` */
export const requirePlan = (root: string, study: string): Study => {
  const plan = readPlan(root, study)
  if (plan !== undefined) return plan
  throw noStudy(root, study)
}

const noStudy = (root: string, study: string): ProblemError =>
  new ProblemError({
    code: 'ratings/no-study',
    message: `there is no plan of a study ${study}`,
    where: { file: planFile(root, study) },
    remedy: `${suggestion(
      study,
      listStudies(root).filter((known) => known !== study),
    )}Draw one: \`medmake rate plan --study ${study} --raters ann,bob\`.`,
  })

/** All raters of a plan, or the one who is named. @throws ProblemError `ratings/no-rater` */
export const ratersOf = (study: Study, named: string | undefined): Study['raters'] => {
  const found = named === undefined ? study.raters : study.raters.filter(({ name }) => name === named)
  if (found.length > 0) return found
  const known = study.raters.map(({ name }) => name)
  throw new ProblemError({
    code: 'ratings/no-rater',
    message: `the study ${study.id} has no rater ${named ?? ''}`,
    where: { field: '--rater' },
    remedy: `${suggestion(named ?? '', known)}Raters are ${known.join(', ')}; \`medmake rate plan --study ${study.id} --raters ${named ?? 'ann'}\` adds one.`,
  })
}

export interface RaterEvents {
  readonly study: string
  readonly rater: string
  readonly events: readonly RatingEvent[]
  /** The file ends in half a line. */
  readonly isTorn: boolean
  /** What is said of a file that lacks what was kept here. */
  readonly lacks?: string
}

/**
 * All that was rated in a workspace, by study and rater.
 * @throws ProblemError `ratings/damaged-log`, `ratings/no-study`, `ratings/lost-plan`
 */
export const readAllEvents = (root: string, studies = ratedStudies(root)): readonly RaterEvents[] =>
  studies.flatMap((study) => {
    const logs = ratersWithLogs(root, study).map((rater) => readEvents(root, study, rater))
    if (!existsSync(planFile(root, study)) && logs.some(({ events }) => events.some(isPlanned)))
      throw lostPlan(planFile(root, study))
    return logs
  })

/** Whether it was rated by a plan, in a desk: what a table brings needs none. */
const isPlanned = ({ subject, origin }: RatingEvent): boolean =>
  subject !== undefined && origin?.startsWith('table:') !== true

const lostPlan = (file: string): ProblemError =>
  new ProblemError({
    code: 'ratings/lost-plan',
    message: 'the plan by which the ratings beside it were drawn is gone',
    where: { file },
    remedy: 'Put the file back from a copy, such as that of git; without one move the folder away.',
  })

/** The consensus of a study's raters. It is in no figure: whoever shows it asks for it. */
export const readConsensus = (root: string, study: string): RaterEvents => readEvents(root, study, CONSENSUS)

const readEvents = (root: string, study: string, rater: string): RaterEvents => {
  const { events, isTorn } = readLog(logFile(root, study, rater))
  const lacks = lostEnd(root, logName(study, rater), events)
  return { study, rater, events, isTorn, ...(lacks !== undefined && { lacks }) }
}

/** Tells of files that were cut, or may have been. */
export const tellCut = (logs: readonly RaterEvents[], warn: (text: string) => void): void => {
  for (const { study, rater, isTorn, lacks } of logs)
    if (lacks !== undefined) warn(lacks)
    else if (isTorn)
      warn(
        `ratings/${logName(study, rater)} ends in half a line: a desk was killed as it wrote, or the file was cut and ratings are gone. Compare it with a copy, such as that of git; the next rating takes the half line away.`,
      )
}
