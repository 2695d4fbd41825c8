import { byText, groupBy } from '../../../cache/lists.ts'
import type { RatedAnswers } from './rated-answers.ts'

/**
 * The same ratings with raters and answers in an order that rests on the scores alone: a draw with this order is the same
 * whatever the raters, answers and files are called and in which order they came.
 */
export const canonicalOrder = ({ scores, jury, sources }: RatedAnswers): RatedAnswers => {
  let answerKeys: readonly string[] = jury.map((score) => String(score))
  let raterKeys: readonly string[] = scores.map(() => '')
  // Each turn tells apart what differed one step further away; three tell apart all but look-alikes.
  for (let turn = 0; turn < TURNS; turn += 1) {
    const answers = answerKeys
    const raters = scores.map((row, rater) => joined(raterKeys[rater] ?? '', row, answers))
    answerKeys = jury.map((_, answer) =>
      joined(
        answers[answer] ?? '',
        scores.map((row) => row[answer] ?? null),
        raters,
      ),
    )
    raterKeys = places(raters)
    answerKeys = places(answerKeys)
    if (sources !== undefined) answerKeys = places(withSource(answerKeys, sources))
  }
  const byAnswer = orderOf(answerKeys)
  return {
    scores: orderOf(raterKeys).map((rater) => byAnswer.map((answer) => scores[rater]?.[answer] ?? null)),
    jury: byAnswer.map((answer) => jury[answer] ?? null),
    ...(sources && { sources: byAnswer.map((answer) => sources[answer] ?? '') }),
  }
}

/** Answers of one source stand together, and are told apart by what else comes from it. */
const withSource = (keys: readonly string[], sources: readonly string[]): readonly string[] => {
  const members = groupBy(keys.keys(), (answer) => sources[answer] ?? '')
  const names = new Map(
    [...members].map(([source, answers]) => [
      source,
      JSON.stringify(answers.map((answer) => keys[answer] ?? '').toSorted()),
    ]),
  )
  return keys.map((key, answer) => `${names.get(sources[answer] ?? '') ?? ''} ${key}`)
}

const TURNS = 3

const joined = (own: string, values: readonly (number | null)[], keys: readonly string[]): string =>
  JSON.stringify([
    own,
    values.flatMap((value, index) => (value === null ? [] : [`${value} ${keys[index] ?? ''}`])).toSorted(),
  ])

/** Each key's place among the different ones, padded: short, and in the same order. */
const places = (keys: readonly string[]): readonly string[] => {
  const different = [...new Set(keys)].toSorted()
  const place = new Map(different.map((key, index) => [key, String(index).padStart(7, '0')]))
  return keys.map((key) => place.get(key) ?? '')
}

const orderOf = (keys: readonly string[]): readonly number[] =>
  keys
    .map((key, index) => ({ key, index }))
    .sort((a, b) => byText(a.key, b.key))
    .map(({ index }) => index)
