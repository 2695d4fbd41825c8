import { parsedJson } from '../../../cache/values/json.ts'
import type { Jury } from '../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'

/** What is altered of what a judge reads, and what should become of its score. */
export const PROBES = {
  lengthened: 'the answer said twice: no rise is earned',
  turned: 'the criteria in the opposite order: nothing should change',
  withheld: 'the reference left out: shows how much rests on it',
  corrupted: 'its second half that of another answer: should fall',
} as const

export type Probe = keyof typeof PROBES

/** What a judge reads. */
interface JudgedText {
  readonly instance: Instance
  readonly answer: string
}

/**
 * The altered text, or undefined where there is nothing to alter: no reference, no other answer.
 * @param other another answer of the same run
 */
export const alterText = (
  probe: Probe,
  { instance, answer }: JudgedText,
  other: string,
): JudgedText | undefined => {
  if (probe === 'turned') return { instance, answer }
  if (probe === 'lengthened') return { instance, answer: `${answer}\n\nIn other words: ${answer}` }
  if (probe === 'withheld')
    return instance.references.length === 0
      ? undefined
      : { instance: { ...instance, references: [] }, answer }
  const mixed = firstHalf(answer) + other.slice(firstHalf(other).length)
  return mixed === answer ? undefined : { instance, answer: mixed }
}

/** Up to the blank nearest to the middle; half a word would be told for what it is. */
const firstHalf = (text: string): string => {
  const middle = Math.ceil(text.length / 2)
  const blanks = [...text.matchAll(/\s+/g)].map(({ index }) => index)
  const best = blanks.reduce(
    (nearest, index) => (Math.abs(index - middle) < Math.abs(nearest - middle) ? index : nearest),
    blanks[0] ?? middle,
  )
  return text.slice(0, best)
}

/**
 * The jury with its criteria in the opposite order, in the form of the reply and where the rubric describes them.
 * Undefined where the rubric shows no form of a reply that could be turned.
 */
export const turnCriteria = (jury: Jury): Jury | undefined => {
  const names = [...jury.criteria.keys()]
  const form = replyForm(jury.template, names)
  if (names.length < 2 || form === undefined) return undefined
  const turned = names.toReversed()
  const fields = Object.fromEntries(turned.map((name) => [name, form.value[name]]))
  const described = turnSections(jury.template.slice(0, form.from), names)
  return {
    ...jury,
    criteria: new Map(turned.map((name) => [name, jury.criteria.get(name) ?? []])),
    template: described + JSON.stringify(fields, null, 4) + jury.template.slice(form.to),
  }
}

interface ReplyForm {
  readonly from: number
  readonly to: number
  readonly value: Readonly<Record<string, unknown>>
}

/** The object of all criteria that the rubric asks for. */
const replyForm = (template: string, names: readonly string[]): ReplyForm | undefined => {
  for (const { index: from } of template.matchAll(/\{/g))
    for (const { index } of template.slice(from).matchAll(/\}/g)) {
      const text = template.slice(from, from + index + 1)
      if (!names.every((name) => text.includes(JSON.stringify(name)))) continue
      const value = parsed(text)
      if (value !== undefined && names.every((name) => name in value))
        return { from, to: from + index + 1, value }
    }
  return undefined
}

const parsed = (text: string): Readonly<Record<string, unknown>> | undefined => {
  const value = parsedJson(text)
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

/** Paragraphs that each begin with a criterion's name, where all of them stand one after the other. */
const turnSections = (text: string, names: readonly string[]): string => {
  const parts = text.split(/(\n[ \t]*\n)/)
  const at = names.map((name) => parts.findIndex((part) => startsWith(part, name)))
  const [first = -1] = at
  if (first < 0 || at.some((place, index) => place !== first + 2 * index)) return text
  const sections = at.map((place) => parts[place] ?? '').toReversed()
  return parts.map((part, index) => sections[at.indexOf(index)] ?? part).join('')
}

const startsWith = (part: string, name: string): boolean =>
  part.trimStart().toLowerCase().startsWith(name.toLowerCase())
