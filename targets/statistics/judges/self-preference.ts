import { byText } from '../../../cache/lists.ts'
import { studentTail } from '../distributions/student-t.ts'
import { studentInterval } from '../intervals/student-interval.ts'
import { meanOf } from '../mean.ts'
import { fitJudges, type FitEffect } from './judge-fit.ts'

/** One judge's score of one answer. */
export interface KinScore {
  readonly item: string
  readonly model: string
  /** Which of the model's answers to the item; absent where it gave one. */
  readonly trial?: number
  readonly judge: string
  readonly score: number
  /** What the item shares with others, such as a patient; each stands for itself unless given. */
  readonly source?: string
}

/** How much more a judge gives to a model of its own family, in points. */
export interface Kinship {
  readonly delta: number
  readonly standardError: number
  readonly df: number
  /** Of "no preference"; null, as the interval is, where the scores have no spread about the fit. */
  readonly p: number | null
  readonly interval: { readonly low: number; readonly high: number } | null
}

/** A model's means over judgements, in points. */
export interface ModelMeans {
  readonly all: number
  /** Without judges of its own family, who may merely be the lenient ones; null where no other judged. */
  readonly withoutOwnFamily: number | null
  /** Less each judge's leniency and kinship; null where these are not determined. */
  readonly adjusted: number | null
}

interface SelfPreference {
  /** Over all families together; null where it cannot be told from leniency. */
  readonly kinship: Kinship | null
  /** Each family that judged its own, with an estimate of its own; null where not determined. */
  readonly families: ReadonlyMap<string, Kinship | null>
  /** Points that a judge gives above the judges' mean; null where no answers tie it to the others. */
  readonly leniency: ReadonlyMap<string, number | null>
  readonly models: ReadonlyMap<string, ModelMeans>
}

/**
 * Leniency and self-preference apart: score = answer + judge + δ · (same family), with a term for every answer, so that
 * neither a good model nor a lenient judge looks like kinship.
 *
 * @param familyOf a judge's or a model's
 */
export const selfPreference = (
  rows: readonly KinScore[],
  familyOf: (name: string) => string,
  confidence: number,
): SelfPreference => {
  // The order of the rows decides no digit.
  const ordered = rows.toSorted((a, b) => byText(keyOf(a), keyOf(b)))
  const isOwn = (row: Pick<KinScore, 'model' | 'judge'>): boolean =>
    familyOf(row.model) === familyOf(row.judge)
  const fitted = ordered.map(({ item, model, trial = 0, judge, score, source }) => ({
    item: source === undefined ? `item ${item}` : `source ${source}`,
    answer: JSON.stringify([item, model, trial]),
    model,
    judge,
    score,
  }))
  const judges = [...new Set(ordered.map(({ judge }) => judge))].toSorted()
  const kinFamilies = [...new Set(fitted.filter(isOwn).map(({ judge }) => familyOf(judge)))].toSorted()
  const together = fitJudges(fitted, judges, [isOwn])
  const [effect = null] = together.effects
  const { leniency } = effect === null ? fitJudges(fitted, judges, []) : together
  const each = fitJudges(
    fitted,
    judges,
    kinFamilies.map((family) => (row) => isOwn(row) && familyOf(row.judge) === family),
  )
  const lenient = new Map(judges.map((judge, index) => [judge, leniency[index] ?? null]))
  const models = [...new Set(ordered.map(({ model }) => model))].toSorted()
  return {
    kinship: kinshipOf(effect, confidence),
    families: new Map(
      kinFamilies.map((family, index) => [family, kinshipOf(each.effects[index] ?? null, confidence)]),
    ),
    leniency: lenient,
    models: new Map(
      models.map((model) => [
        model,
        meansOf(
          ordered.filter((row) => row.model === model),
          { lenient, delta: effect?.value ?? 0, isOwn: ({ judge }) => familyOf(judge) === familyOf(model) },
        ),
      ]),
    ),
  }
}

const keyOf = ({ item, model, trial = 0, judge }: KinScore): string =>
  JSON.stringify([item, model, trial, judge])

const kinshipOf = (effect: FitEffect | null, confidence: number): Kinship | null => {
  if (effect === null) return null
  const { value: delta, variance, df } = effect
  // Scores that the fit meets to the last digit leave rounding alone.
  if (!(variance > 1e-24)) return { delta, standardError: 0, df, p: null, interval: null }
  const standardError = Math.sqrt(variance)
  return {
    delta,
    standardError,
    df,
    p: studentTail(delta / standardError, df),
    interval: studentInterval(delta, effect, confidence),
  }
}

interface Adjustment {
  readonly lenient: ReadonlyMap<string, number | null>
  readonly delta: number
  readonly isOwn: (row: KinScore) => boolean
}

const meansOf = (rows: readonly KinScore[], { lenient, delta, isOwn }: Adjustment): ModelMeans => {
  const others = rows.filter((row) => !isOwn(row))
  const adjusted = rows.flatMap((row) => {
    const points = lenient.get(row.judge) ?? null
    return points === null ? [] : [row.score - points - delta * Number(isOwn(row))]
  })
  return {
    all: meanOf(rows.map(({ score }) => score)),
    withoutOwnFamily: others.length === 0 ? null : meanOf(others.map(({ score }) => score)),
    adjusted: adjusted.length < rows.length ? null : meanOf(adjusted),
  }
}
