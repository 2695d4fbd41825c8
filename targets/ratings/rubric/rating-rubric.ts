import { digestJson, type Digest } from '../../../cache/values/digest.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Jury } from '../../../benchmarks/scenario/benchmark.ts'

/** A criterion as a clinician sees it. */
interface RatingCriterion {
  /** As judges' replies and ratings name it. */
  readonly name: string
  /** As the rubric writes it; the name where the rubric has no line of its own for it. */
  readonly title: string
  /** What the rubric says of it, line breaks kept; `''` where it says nothing that was found. */
  readonly text: string
}

/** A jury's rubric as clinicians rate by it: the same words that the judges read. */
export interface RatingRubric {
  readonly digest: Digest<'text'>
  readonly criteria: readonly RatingCriterion[]
  /** Whole numbers, ends included: as the rubric states it behind its criteria, else as it is declared. */
  readonly scale: { readonly least: number; readonly most: number }
  /** What the rubric calls the ends of its scale, as in `1 = poor, 5 = excellent`. */
  readonly ends?: { readonly least: string; readonly most: string }
}

/** What of a jury its clinicians' rubric is made of. */
export type RatedJury = Pick<Jury, 'template' | 'criteria' | 'scale' | 'grading'>

/** Steps that have a key each. */
const MOST_STEPS = 10

/**
 * Reads criteria and scale out of a jury's rubric: a line `Name (1-5)` begins a criterion, the lines up to the next blank
 * one are its text. Where it has none, `- name: what counts` on one line, perhaps with the scale before the colon, is both;
 * lines that are indented more go on with it.
 * @throws ProblemError `ratings/unfit-scale` for a scale without a step for each key
 */
export const ratingRubric = (jury: Omit<RatedJury, 'grading'>): RatingRubric => {
  const { template, criteria, scale } = jury
  const { least, most } = scale
  if (!Number.isInteger(least) || !Number.isInteger(most) || most <= least || most - least >= MOST_STEPS)
    throw new ProblemError({
      code: 'ratings/unfit-scale',
      message: `a scale from ${least} to ${most} has no key for each score`,
      where: { field: 'scale' },
      remedy: `Clinicians rate in at most ${MOST_STEPS} whole numbers, such as 1 to 5: write such a scale into the jury.`,
    })
  const lines = template.split(/\r?\n/)
  const shown = shownScale(jury)
  const ends = endsOf(template, shown.least, shown.most)
  return {
    digest: rubricDigest(jury),
    criteria: [...criteria.keys()].map((name) => criterionOf(name, lines)),
    scale: shown,
    ...(ends === undefined ? {} : { ends }),
  }
}

/** A rubric, its criteria and its scale: ratings by one are never taken for ratings by another. */
export const rubricDigest = ({ template, criteria, scale }: Omit<RatedJury, 'grading'>): Digest<'text'> =>
  digestJson<'text'>({ template, criteria: [...criteria.keys()], scale: [scale.least, scale.most] })

/** What the rubric says behind its criteria, where all say the same and the declared scale holds it; else that one. */
export const shownScale = ({
  template,
  criteria,
  scale,
}: Pick<RatedJury, 'template' | 'criteria' | 'scale'>): RatingRubric['scale'] => {
  const lines = template.split(/\r?\n/)
  const stated = [...criteria.keys()].map((name) => headOf(name, lines)?.parts)
  const [least = NaN, most = NaN] = [stated[0]?.[2], stated[0]?.[3]].map(Number)
  const isCommon = stated.every((each) => Number(each?.[2]) === least && Number(each?.[3]) === most)
  return isCommon && scale.least <= least && least < most && most <= scale.most ? { least, most } : scale
}

interface CriterionHead {
  readonly at: number
  /** The whole line, title, ends of the scale, and what it says behind a colon. */
  readonly parts: RegExpExecArray
}

const headOf = (name: string, lines: readonly string[]): CriterionHead | undefined => {
  for (const form of [HEAD, ONE_LINE])
    for (const [at, line] of lines.entries()) {
      const parts = form.exec(line)
      if (parts !== null && plain(parts[1] ?? '') === plain(name)) return { at, parts }
    }
  return undefined
}

const criterionOf = (name: string, lines: readonly string[]): RatingCriterion => {
  const head = headOf(name, lines)
  if (head === undefined) return { name, title: name.replaceAll('_', ' '), text: '' }
  const { at, parts } = head
  const title = parts[1]?.trim() ?? name
  const [, , , , said] = parts
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) =>
    said === undefined ? line.trim() === '' : indentOf(line) <= indentOf(parts[0]),
  )
  const text = (end < 0 ? rest : rest.slice(0, end)).map((line) => line.trim().replace(/^-\s+/, ''))
  return { name, title, text: [...(said === undefined ? [] : [said.trim()]), ...text].join('\n') }
}

/** Of a blank line none. */
const indentOf = (line: string): number => Math.max(0, line.search(/\S/))

const TITLE = String.raw`^[\s\d.*#-]*([\p{L}][\p{L}\p{M}\s/&_-]*?)[\s*]*`
const STATED = String.raw`\(\s*(-?\d+)\s*(?:-|–|to)\s*(\d+)\s*\)[\s*]*`

/** `Accuracy (1-5)`, perhaps numbered, marked up, or with a colon. */
const HEAD = new RegExp(`${TITLE}${STATED}[\\s:*]*$`, 'u')

/** `- accuracy: nothing is wrong`, perhaps with a scale; neither a slot nor a part of the reply that is asked for. */
const ONE_LINE = new RegExp(`${TITLE}(?:${STATED})?:[\\s*]*([^\\s*{["].*)$`, 'u')

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Of the whole scale: in brackets, before any criterion's own anchors. */
const endsOf = (template: string, least: number, most: number): RatingRubric['ends'] => {
  const found = new RegExp(`\\(\\s*${least} = ([^,;()=]+)[,;]\\s*${most} = ([^,;()=]+)\\)`, 'u').exec(
    template,
  )
  const [, low, high] = found ?? []
  return low === undefined || high === undefined ? undefined : { least: low.trim(), most: high.trim() }
}
