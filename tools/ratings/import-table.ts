import { randomBytes } from 'node:crypto'
import { listBenchmarks } from '../../benchmarks/lookup/list.ts'
import { rowPlace, type Row, type Table } from '../../benchmarks/sources/table.ts'
import { remembered } from '../../cache/once.ts'
import { digestJson, digestOf } from '../../cache/values/digest.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import {
  criterionColumns,
  isLeftInPart,
  juryColumn,
  readRatings,
  scoredCriteria,
  type Rating,
} from '../../targets/jury/study/ratings.ts'
import { REASONS, type Reason } from '../../targets/ratings/reasons.ts'
import type { ScoreScale } from '../../benchmarks/scenario/benchmark.ts'
import { textMeasures } from '../../targets/metrics/catalog.ts'
import { pyFloat } from '../../benchmarks/python/numbers/number.ts'
import { isItemName, itemScore } from '../../targets/ratings/rubric/item-rubric.ts'
import { shownScale } from '../../targets/ratings/rubric/rating-rubric.ts'
import { keyedDigest, unitKey } from '../../targets/ratings/unit.ts'
import { subjectOf, type RatingSubject } from '../../targets/ratings/event.ts'
import { criteriaOf, findRated, lackedCriteria, runAnswers, type StoredAnswer } from '../jury/rated-runs.ts'
import { exportedExtras } from './exported-table.ts'
import { safeName } from './safe-name.ts'
import { knownRaters } from './study-folder.ts'
import {
  addImported,
  type ImportedRatings,
  type ImportPlace,
  type IncomingEvent,
} from './imported-ratings.ts'
import { isOfAnswer, itemPoints, type RatableAnswer, type RatableAnswers } from './rated-runs.ts'

interface TableImport extends ImportPlace {
  readonly study: string
  /** What the table calls our columns: its name → ours. */
  readonly names: ReadonlyMap<string, string>
  /** Whose answers the table may be of. */
  readonly runs: readonly RatableAnswers[]
  /** When it is taken in, UTC. */
  readonly at: string
  /** Of the clinicians' scores, where it is another than the rubric's, to which they are mapped. */
  readonly scale?: ScoreScale
}

/** Scores that a table may hold where no run tells the rubric's scale. */
const USUAL: ScoreScale = { least: 1, most: 5 }

/**
 * Takes in a table such as the paper's. A row is linked to a run's answer by benchmark, instance and model, where the
 * jury's numbers beside it are that run's; else it is kept with the jury that the table has.
 * @throws ProblemError with file, row and column for what is no whole score, given twice or contradicts itself
 */
export const importTable = async (
  given: Table,
  options: TableImport,
): Promise<readonly ImportedRatings[]> => {
  const { runs, study } = options
  if (given.rows.length === 0) throw noRows(given)
  const named = renamed(given, options.names)
  const judged = runs.map(({ run }) => run)
  const criteria = criteriaOf(judged, named.columns.filter(isItemName))
  const columns = { automatic: textMeasures(), ...(criteria.size > 0 && { criteria }) }
  const { table, skipped } = withoutEmptyRows(named, columns)
  const ratings = readRatings(table, columns)
  const scoredBy = scoredCriteria(table, columns)
  const answers = judged.map(runAnswers)
  const linked = new Map(findRated(ratings, answers).found.map(({ rating, answer }) => [rating, answer]))
  const lacked = lackedCriteria(
    [...linked].map(([{ criteria: own = [] }, { run }]) => ({ criteria: own, run })),
  )
  const byDigest = answersByDigest(runs)
  const keyOf = await instanceKeys(ratings, options)
  const byRater = new Map<string, IncomingEvent[]>()
  const known = knownRaters(options.root, study)
  const scales = new Set<string>()
  const origins = new Map<string, string>()
  for (const [index, rating] of ratings.entries()) {
    const row = table.rows[index]
    if (row === undefined) continue
    const own = linked.get(rating)
    const answer =
      rating.answer === undefined
        ? own && answerHeld(own, answers, runs)
        : byDigest.get(`${rating.answer} ${rating.rubric}`)
    const held =
      answer && (own === undefined || isOfAnswer(rating, own, answer))
        ? { ...subjectOf(answer), model: answer.model }
        : undefined
    const names = scoredBy(row)
    const jury = (own?.run ?? runs.find(({ rubric }) => rubric === answer?.rubric)?.run)?.jury
    const scale = jury === undefined ? USUAL : shownScale(jury)
    const scores = scoresOf(rating, names, { table, row, scale, given: options.scale })
    if (options.scale !== undefined) scales.add(`${scale.least}-${scale.most}`)
    const unlinked = await unlinkedSubject(rating, keyOf)
    const rater = safeName(rating.rater, 'rater', [...known, ...byRater.keys()])
    const events = remembered(byRater, rater, (): IncomingEvent[] => [])
    const composite = names.some(isItemName) ? pointsOf(row, names, scores, held && answer, runs) : undefined
    const of = { names, composite, held, unlinked, rater, study, at: options.at }
    const next = eventOf({ ...rating, scores }, row, of)
    const origin = held && remembered(origins, `${rater} ${unitKey(held)}`, () => next.event.origin)
    if (origin !== undefined && origin !== next.event.origin) throw ratedTwice(table, row, rater)
    events.push(next)
  }
  return addAll(byRater, options, { known, skipped, lacked, mappedTo: [...scales].join(', ') })
}

const addAll = async (
  byRater: ReadonlyMap<string, readonly IncomingEvent[]>,
  options: TableImport,
  {
    known,
    skipped,
    lacked,
    mappedTo,
  }: {
    readonly known: readonly string[]
    readonly skipped: number
    readonly lacked: string | undefined
    readonly mappedTo: string
  },
): Promise<readonly ImportedRatings[]> => {
  const { study } = options
  const done: ImportedRatings[] = []
  for (const [rater, events] of [...byRater].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    done.push({
      ...(await addImported({ study, rater }, events, options)),
      skipped: done.length === 0 ? skipped : 0,
      ...(done.length === 0 && lacked !== undefined && { lacked }),
      ...(known.length > 0 && !known.includes(rater) && { isNew: true as const }),
      ...(mappedTo !== '' && { mappedTo }),
    })
  return done
}

/** Of an export, whose ids of what is not public are digests, too. */
const answersByDigest = (runs: readonly RatableAnswers[]): ReadonlyMap<string, RatableAnswer> =>
  new Map(
    runs
      .flatMap((run) => run.answers)
      .toReversed()
      .map((answer) => [`${answer.answer} ${answer.rubric}`, answer]),
  )

const noRows = ({ file }: Table): ProblemError =>
  new ProblemError({
    code: 'ratings/no-rows',
    message: 'the table has a header and no row',
    where: { file },
    remedy: 'Add a row for each rating.',
  })

const ratedTwice = ({ file }: Table, row: Row, rater: string): ProblemError =>
  new ProblemError({
    code: 'targets/repeated-rating',
    message: `${rater} rated the same answer otherwise in an earlier row`,
    where: rowPlace(file, row),
    remedy: 'Keep one of the two rows: models that give the same text give one answer.',
  })

/** @throws ProblemError `cli/bad-flag` for a column that is not there, or would be there twice */
const renamed = (table: Table, names: ReadonlyMap<string, string>): Table => {
  const own = (column: string): string => names.get(column) ?? column
  for (const [theirs, ours] of names) {
    const found = table.columns.filter((column) => own(column) === ours)
    if (found.length !== 1)
      throw new ProblemError({
        code: 'cli/bad-flag',
        message: `--map ${ours}=${theirs}: the table has ${found.length === 0 ? 'no such column' : `${found.length} columns for ${ours}`}`,
        where: { file: table.file, line: 1, field: theirs },
        remedy: `${found.length === 0 ? suggestion(theirs, table.columns) : ''}Name the one column that holds it.`,
      })
  }
  return names.size === 0
    ? table
    : {
        ...table,
        columns: table.columns.map(own),
        rows: table.rows.map((row) => ({
          ...row,
          cells: new Map([...row.cells].map(([column, value]) => [own(column), value] as const)),
        })),
      }
}

/** A row without any score was not judged, unless it is an export's, which says why. */
const withoutEmptyRows = (
  table: Table,
  columns: Parameters<typeof criterionColumns>[1],
): { readonly table: Table; readonly skipped: number } => {
  const names = criterionColumns(table, columns)
  const isEmpty = (row: Row): boolean =>
    names.length > 0 && names.every((name) => isEmptyCell(row.cells.get(name)))
  const rows = table.rows.filter((row) => !isEmpty(row) || reasonOf(row) !== undefined)
  return { table: { ...table, rows }, skipped: table.rows.length - rows.length }
}

/** Why an exported rating has not all scores. */
const reasonOf = (row: Row): Reason | undefined =>
  isLeftInPart(row) ? REASONS.find((reason) => reason === row.cells.get('reason')) : undefined

const isEmptyCell = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && value.trim() === '')

const answerHeld = (
  own: StoredAnswer,
  answers: readonly (readonly StoredAnswer[])[],
  runs: readonly RatableAnswers[],
): RatableAnswer | undefined =>
  runs[answers.findIndex((each) => each.includes(own))]?.answers.find(
    ({ instanceId, unrated }) => instanceId === own.instance && unrated === undefined,
  )

/** Names of instances may be patients': keyed, unless the benchmark is known to be public. */
const instanceKeys = async (
  ratings: readonly Rating[],
  { vault, root }: TableImport,
): Promise<(benchmark: string) => Promise<string | undefined>> => {
  const known = new Map((await listBenchmarks({ workspace: root })).map(({ name, access }) => [name, access]))
  const needed = new Set(ratings.map(({ benchmark }) => benchmark))
  return async (benchmark) =>
    needed.has(benchmark) ? vault.digestKey(known.get(benchmark) ?? 'private') : undefined
}

const unlinkedSubject = async (
  { benchmark, instance, model, answer, study }: Rating,
  keyOf: (benchmark: string) => Promise<string | undefined>,
): Promise<RatingSubject> => ({
  benchmark,
  // An export has its digest already.
  instance:
    answer === undefined && study !== undefined
      ? instance
      : keyedDigest(digestOf(instance), await keyOf(benchmark)),
  answer: null,
  rubric: null,
  model,
})

/** A row's scores on the rubric's own scale. @throws ProblemError `ratings/bad-score` */
const scoresOf = (
  { scores, jury }: Rating,
  names: readonly string[],
  {
    table,
    row,
    scale: own,
    given,
  }: {
    readonly table: Table
    readonly row: Row
    readonly scale: ScoreScale
    readonly given: ScoreScale | undefined
  },
): readonly number[] => {
  const check = (values: readonly number[], { least, most }: ScoreScale, whole: string): void => {
    const at = values.findIndex(
      (score) => score < least || score > most || (whole !== '' && !Number.isInteger(score)),
    )
    if (at < 0) return
    const name = names[at] ?? ''
    throw new ProblemError({
      code: 'ratings/bad-score',
      message: `${values[at]} is no ${whole}score from ${least} to ${most}`,
      where: rowPlace(table.file, row, values === jury ? juryColumn(table, name) : name),
      remedy:
        'Write the score as it was given, or name its scale: --scale 0-100. Nothing of the table was taken in.',
    })
  }
  check(scores, given ?? own, given === undefined ? 'whole ' : '')
  if (given === undefined) return scores
  // Held against mapped scores, one of the table's scale would be a wrong number.
  check(jury, own, '')
  const share = (score: number): number => (score - given.least) / (given.most - given.least)
  return scores.map((score) => own.least + share(score) * (own.most - own.least))
}

/** What an export's items of an instance's own rubric make: by the run that holds the answer, else as it says. */
const pointsOf = (
  { cells }: Row,
  names: readonly string[],
  scores: readonly number[],
  answer: RatableAnswer | undefined,
  runs: readonly RatableAnswers[],
): number | null => {
  const told = cells.get('composite')
  if (answer === undefined) return (typeof told === 'string' ? pyFloat(told) : undefined) ?? null
  const given = Object.fromEntries(names.map((name, index) => [name, scores[index] ?? NaN]))
  return itemScore(itemPoints(answer, runs), given) ?? null
}

interface Named {
  readonly names: readonly string[]
  readonly composite: number | null | undefined
  /** What a run holds of it. */
  readonly held: RatingSubject | undefined
  readonly unlinked: RatingSubject
  readonly rater: string
  readonly study: string
  readonly at: string
}

const eventOf = (rating: Rating, row: Row, named: Named): IncomingEvent => {
  const { names, composite, held, unlinked, rater, study, at } = named
  const reason = reasonOf(row)
  const { order, comment, content } = rating.study === undefined ? { comment: '' } : exportedExtras(row)
  const scores = Object.fromEntries(names.map((name, index) => [name, rating.scores[index] ?? NaN]))
  const jury = Object.fromEntries(names.map((name, index) => [name, rating.jury[index] ?? NaN]))
  // The same row of another file is the same rating, and of an answer that is known by its text whoever gave it; what was
  // given at another time is another one, though its scores be those of before.
  const originOf = (subject: RatingSubject): string =>
    `table:${digestJson([subject, scores, ...[reason, rating.at].filter((each) => each !== undefined)])}`
  return {
    comment,
    ...(rating.answer !== undefined && { exported: { answer: rating.answer, rubric: rating.rubric } }),
    ...(held && { unlinked: originOf(unlinked) }),
    event: {
      study,
      rater,
      kind: names.length === 0 ? 'cannot-judge' : 'rated',
      // What was rated again since counts, though this came in after it.
      at: rating.at !== undefined && rating.at < at ? rating.at : at,
      ...(order !== undefined && { order }),
      subject: held ?? unlinked,
      origin: originOf(held === undefined ? unlinked : subjectOf(held)),
      content: {
        nonce: randomBytes(16).toString('hex'),
        scores,
        ...(composite !== undefined && { composite }),
        ...(rating.jury.length === 0 ? {} : { jury }),
        ...(reason !== undefined && { reason }),
        ...content,
      },
    },
  }
}
