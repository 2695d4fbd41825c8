import { DIGIT, SPACE, WORD } from '../../../benchmarks/python/text.ts'
import rules from './spacy-english.json' with { type: 'json' }

interface Rules {
  readonly prefix: RegExp
  readonly suffix: RegExp
  readonly infix: RegExp
  readonly url: RegExp
  /** Words whose tokens are fixed, such as `don't`. */
  readonly exceptions: ReadonlyMap<string, readonly string[]>
}

const compile = (): Rules => ({
  prefix: new RegExp(rules.prefix, 'u'),
  suffix: new RegExp(rules.suffix, 'u'),
  infix: new RegExp(rules.infix, 'gu'),
  url: new RegExp(
    rules.url.replaceAll('\\w', WORD).replaceAll('\\d', `[${DIGIT}]`).replaceAll('\\S', `[^${SPACE}]`),
    'u',
  ),
  exceptions: new Map(rules.exceptions.map((tokens) => [tokens.replaceAll(' ', ''), tokens.split(' ')])),
})

let compiled: Rules | undefined

/** The rules, compiled when first needed: a run whose values are all known never needs them. */
const english = (): Rules => (compiled ??= compile())

/** Words that are not split by rule but as the language's exceptions say. */
export const exceptions = (): ReadonlyMap<string, readonly string[]> => english().exceptions

/** Every URL has a dot; asking for it first spares most words a slow expression. */
const isUrl = (word: string): boolean => word.includes('.') && english().url.test(word)

/** Taken apart by no rule, each of which asks for a sign or a digit. */
const isPlain = (word: string): boolean => /^[A-Za-z]+$/.test(word)

interface Affixes {
  readonly prefixes: readonly string[]
  readonly rest: string
  /** From the outermost to the innermost. */
  readonly suffixes: readonly string[]
}

/** Takes prefixes and suffixes off until nothing more comes off or a fixed word is left. */
const splitAffixes = (word: string, fixed: ReadonlyMap<string, unknown>): Affixes => {
  const { prefix, suffix } = english()
  const prefixes: string[] = []
  const suffixes: string[] = []
  let rest = word
  let length = -1
  while (rest !== '' && rest.length !== length && !fixed.has(rest) && !isPlain(rest)) {
    length = rest.length
    const front = prefix.exec(rest)?.[0].length ?? 0
    const afterFront = rest.slice(front)
    if (front > 0 && afterFront !== '' && fixed.has(afterFront)) {
      prefixes.push(rest.slice(0, front))
      return { prefixes, rest: afterFront, suffixes }
    }
    const back = suffix.exec(afterFront)?.[0].length ?? 0
    const beforeBack = rest.slice(0, rest.length - back)
    if (back > 0 && beforeBack !== '' && fixed.has(beforeBack)) {
      suffixes.push(rest.slice(rest.length - back))
      return { prefixes, rest: beforeBack, suffixes }
    }
    if (front > 0) prefixes.push(rest.slice(0, front))
    if (back > 0) suffixes.push(rest.slice(rest.length - back))
    rest = rest.slice(front, rest.length - back)
  }
  return { prefixes, rest, suffixes }
}

/** Cuts at hyphens, ellipses and the like within a word. */
const splitInfixes = (word: string): string[] => {
  if (isPlain(word)) return [word]
  const tokens: string[] = []
  let start = 0
  for (const match of word.matchAll(english().infix)) {
    const end = match.index + match[0].length
    if (match.index === start && start === 0) continue
    if (match.index !== start) tokens.push(word.slice(start, match.index))
    if (end !== match.index) tokens.push(word.slice(match.index, end))
    start = end
  }
  if (start < word.length) tokens.push(word.slice(start))
  return tokens
}

const splitMiddle = (word: string, fixed: ReadonlyMap<string, readonly string[]>): readonly string[] =>
  fixed.get(word) ?? (isUrl(word) ? [word] : splitInfixes(word))

/**
 * Splits a word, which holds no blank, by the rules: affixes first, then what joins words within it.
 * @param fixed words that are left alone on the way, with their tokens
 */
export const splitWord = (word: string, fixed: ReadonlyMap<string, readonly string[]>): readonly string[] => {
  const { prefixes, rest, suffixes } = splitAffixes(word, fixed)
  return [...prefixes, ...(rest === '' ? [] : splitMiddle(rest, fixed)), ...suffixes.toReversed()]
}
