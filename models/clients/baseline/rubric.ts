import { isMapping, parsedJson } from '../../../cache/values/json.ts'

/** A rubric prompt taken apart. */
export interface Rubric {
  /** Criterion → the fields of its object in the prompt's example, `true` for a number. */
  readonly criteria: ReadonlyMap<string, ReadonlyMap<string, boolean>>
  readonly scale: { readonly lowest: number; readonly highest: number }
  readonly question: string
  readonly response: string
  /** Empty where the rubric has no reference. */
  readonly gold: string
}

/** Reads a jury prompt (benchmarks/HELM.md B7). Undefined when it holds no example of scored criteria. */
export const readRubric = (prompt: string): Rubric | undefined => {
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
