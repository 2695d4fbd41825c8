import { ClientError } from '../../calls/client.ts'
import { contentWords, overlap } from './words.ts'
import { isMapping, parsedJson } from '../../../cache/values/json.ts'

/**
 * Answers a jury's rubric prompt with scores from word overlap, as the JSON that the prompt asks for.
 * Accuracy and its kin: how much of the response stands in the reference or the question. Completeness and its kin:
 * how much of the reference stands in the response. Any other criterion: the harmonic mean of both against the
 * reference. Of a single rubric item it says whether that is met. It knows no medicine, and its explanations say so.
 *
 * @throws ClientError `baseline/no-rubric` for a prompt that shows no JSON object of scored criteria
 */
export const overlapJudge = (prompt: string): string => itemJudgement(prompt) ?? juryReply(prompt)

const juryReply = (prompt: string): string => {
  const rubric = readRubric(prompt)
  if (!rubric)
    throw new ClientError(
      'baseline/no-rubric',
      'overlap-judge answers rubric prompts only: it found no JSON example',
      {
        retriable: false,
      },
    )
  const judgement: Record<string, Record<string, number | string>> = {}
  for (const [criterion, fields] of rubric.criteria) {
    const { share, explanation } = judge(criterion, rubric)
    const score = rubric.scale.lowest + Math.round(share * (rubric.scale.highest - rubric.scale.lowest))
    judgement[criterion] = Object.fromEntries(
      [...fields].map(([key, isNumber]) => [key, isNumber || key === 'score' ? score : explanation]),
    )
  }
  return JSON.stringify(judgement, null, 2)
}

interface Share {
  /** 0 to 1. */
  readonly share: number
  readonly explanation: string
}

const RECALL = /^(?:completeness|coverage|recall)/i
const PRECISION = /^(?:accuracy|faithfulness|correctness|safety|precision)/i

const judge = (criterion: string, rubric: Rubric): Share => {
  const hasGold = contentWords(rubric.gold).length > 0
  const gold = hasGold ? rubric.gold : rubric.question
  const name = hasGold ? 'the reference' : 'the question'
  if (PRECISION.test(criterion)) return precision(rubric, hasGold)
  const recall = overlap(gold, rubric.response)
  if (RECALL.test(criterion)) return explained(ratio(recall), `${count(recall, name)} occur in the response`)
  const { shared, total } = overlap(rubric.response, gold)
  const share = ratio({ shared: 2 * shared, total: total + recall.total })
  return explained(
    share,
    `response and ${name} share ${shared} content words of ${total} and ${recall.total}`,
  )
}

/** A word or two can't be wrong, so what is shorter than the reference loses by as much. */
const precision = (rubric: Rubric, hasGold: boolean): Share => {
  const found = overlap(rubric.response, `${rubric.gold}\n${rubric.question}`)
  const text = `${count(found, 'the response')} occur in ${hasGold ? 'the reference or the question' : 'the question'}`
  const wanted = overlap(rubric.gold, '').total
  if (!hasGold || found.total >= wanted) return explained(ratio(found), text)
  const share = ratio(found) * (found.total / wanted)
  return explained(share, `${text}, but the reference has ${wanted}`)
}

interface Overlap {
  readonly shared: number
  readonly total: number
}

const ratio = ({ shared, total }: Overlap): number => (total === 0 ? 0 : shared / total)

const count = ({ shared, total }: Overlap, of: string): string =>
  `${shared} of ${total} content words of ${of}`

const explained = (share: number, text: string): Share => ({
  share,
  explanation: `Word-overlap rule, not a clinical judgement: ${text} (${share.toFixed(2)}).`,
})

/** The end of a graded chat, and the item that it is graded by (HealthBench's form). */
const ITEM = /# Conversation\n([^]*?)\n\n# Rubric item\n([^]*?)\n\n# Instructions\n/

/**
 * Answers the prompt for one rubric item: met where half of its content words occur in the last message. The comparison
 * with a physician's answer, which asks for 1 to 10, gets 5. Undefined for any other prompt.
 */
const itemJudgement = (prompt: string): string | undefined => {
  if (/"criteria_met": <integer from 1 to 10>/.test(prompt)) return reply(5, 'not compared')
  const [, chat, item] = ITEM.exec(prompt) ?? []
  if (chat === undefined || item === undefined) return undefined
  const answer = chat.slice(chat.lastIndexOf('\n\nassistant: ') + 1)
  const { shared, total } = overlap(item, answer)
  return reply(total > 0 && 2 * shared >= total, `${shared} of ${total} content words occur in the answer`)
}

const reply = (met: boolean | number, why: string): string =>
  JSON.stringify({ explanation: `Word-overlap rule, not a clinical judgement: ${why}.`, criteria_met: met })

/** A rubric prompt taken apart. */
interface Rubric {
  /** Criterion → the fields of its object in the prompt's example, `true` for a number. */
  readonly criteria: ReadonlyMap<string, ReadonlyMap<string, boolean>>
  readonly scale: { readonly lowest: number; readonly highest: number }
  readonly question: string
  readonly response: string
  /** Empty where the rubric has no reference. */
  readonly gold: string
}

/** Reads a jury prompt (benchmarks/HELM.md B7). Undefined when it holds no example of scored criteria. */
const readRubric = (prompt: string): Rubric | undefined => {
  const response = section(prompt, /^response$/i)
  const gold = section(prompt, /^gold_response$/i)
  const question = section(prompt, /^(?!response$|gold_response$|rubric_criteria$)/i)
  // The answer under test may hold JSON of its own: the example stands after it.
  const criteria = example(prompt.slice(response.end)) ?? example(prompt)
  if (!criteria) return undefined
  return {
    criteria,
    scale: scaleOf(prompt.slice(response.end)) ?? scaleOf(prompt) ?? { lowest: 1, highest: 5 },
    question: question.text,
    response: response.text,
    gold: gold.text,
  }
}

/** First `<name>…</name>` on lines of their own; `end` is where it ends, 0 without one. */
const section = (prompt: string, name: RegExp): { readonly text: string; readonly end: number } => {
  for (const match of prompt.matchAll(/^<(\w+)>\n([\s\S]*?)\n?<\/\1>$/gm)) {
    if (name.test(match[1] ?? '')) return { text: match[2] ?? '', end: match.index + match[0].length }
  }
  return { text: '', end: 0 }
}

const SCALE = /\((\d+)\s*(?:-|–|to)\s*(\d+)\)|\b(?:from|of)\s+(\d+)\s+to\s+(\d+)\b/

const scaleOf = (text: string): { readonly lowest: number; readonly highest: number } | undefined => {
  const match = SCALE.exec(text)
  if (!match) return undefined
  const [first, second] = match.slice(1).filter((part) => part !== undefined)
  return { lowest: Number(first), highest: Number(second) }
}

/** The first JSON object in the text whose values are all objects with a `score`. */
const example = (text: string): ReadonlyMap<string, ReadonlyMap<string, boolean>> | undefined => {
  for (let start = text.indexOf('{'); start !== -1; start = text.indexOf('{', start + 1)) {
    const end = closing(text, start)
    if (end === undefined) continue
    const criteria = criteriaOf(text.slice(start, end + 1))
    if (criteria) return criteria
  }
  return undefined
}

const closing = (text: string, start: number): number | undefined => {
  let depth = 0
  for (const match of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (match[0] === '{') depth += 1
    if (match[0] === '}') depth -= 1
    if (depth === 0) return start + match.index
  }
  return undefined
}

const criteriaOf = (json: string): ReadonlyMap<string, ReadonlyMap<string, boolean>> | undefined => {
  // Braces in prose are no JSON; the search goes on behind them.
  const parsed = parsedJson(json)
  if (!isMapping(parsed)) return undefined
  const entries = Object.entries(parsed)
  const criteria = new Map<string, ReadonlyMap<string, boolean>>()
  for (const [criterion, fields] of entries) {
    if (!isMapping(fields) || !('score' in fields)) return undefined
    criteria.set(
      criterion,
      new Map(Object.entries(fields).map(([key, value]) => [key, typeof value === 'number'])),
    )
  }
  return criteria.size > 0 ? criteria : undefined
}
