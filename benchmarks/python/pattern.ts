import { BOUNDARY, DIGIT, SPACE, WORD } from './text.ts'

/** What a class of characters stands for in Python, to be put inside brackets. */
const CLASSES: Readonly<Record<string, string>> = { d: DIGIT, s: SPACE, w: WORD }

/** V8 11 takes `[^]` for nothing under the flag `v`. */
const ANYTHING = String.raw`[\s\S]`
const START = `(?<!${ANYTHING})`
const END = `(?!${ANYTHING})`

/** Escapes that mean the same in both, outside of classes and within. */
const SHARED = 'fnrtv'

interface PatternFlags {
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
}

/**
 * A pattern of Python's `re`, over text, as one of JavaScript's that finds the same: classes, boundaries, `.`, `^` and
 * `$` by Python's rules for Unicode and line ends; groups called `(?P<name>…)`; flags `i`, `m`, `s` at its start.
 * @throws SyntaxError where it is none, and for what JavaScript has no form of: flags within, conditions, atomic groups
 */
export const pythonPattern = (pattern: string): RegExp => {
  const [lead = '', given = ''] = /^\(\?([aimsu]+)\)/.exec(pattern) ?? []
  if (given.includes('a')) throw new SyntaxError('the flag a is not supported')
  const flags = {
    ignoreCase: given.includes('i'),
    multiline: given.includes('m'),
    dotAll: given.includes('s'),
  }
  return new RegExp(translated(pattern.slice(lead.length), flags), flags.ignoreCase ? 'iv' : 'v')
}

const TOKEN =
  /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])|\(\?[a-zA-Z]*-?[a-zA-Z]*:|\(\?P<[^>]*>|\(\?P=\w+\)|\(\?#[^)]*\)|\{\d*(?:,\d*)?\}|[^]/gu

const translated = (pattern: string, flags: PatternFlags): string => {
  let source = ''
  /** Where a class opened, and what it holds so far. */
  let inside: { readonly from: string; readonly atoms: string[] } | undefined
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (inside === undefined && token !== '[') source += inAnyCase(outer(token, flags), flags)
    else if (inside === undefined) inside = { from: '[', atoms: [] }
    else if (token === '^' && inside.from === '[' && inside.atoms.length === 0)
      inside = { from: '[^', atoms: [] }
    // A bracket that comes first is one of the characters.
    else if (token === ']' && inside.atoms.length > 0) {
      source += `${inside.from}${ranged(inside.atoms, flags)}]`
      inside = undefined
    } else inside.atoms.push(...inner(token))
  }
  if (inside !== undefined) throw new SyntaxError('a class of characters is not closed')
  return source
}

const outer = (token: string, { multiline, dotAll }: PatternFlags): string => {
  switch (token) {
    case '.':
      return dotAll ? ANYTHING : String.raw`[^\n]`
    case '^':
      return multiline ? String.raw`(?<![^\n])` : START
    case '$':
      return multiline ? String.raw`(?![^\n])` : String.raw`(?=\n?${END})`
    case String.raw`\A`:
      return START
    case String.raw`\Z`:
      return END
    case String.raw`\b`:
      return BOUNDARY
    case String.raw`\B`:
      return `(?!${BOUNDARY})`
    case '(?:':
      return token
    case ']':
    case '}':
    case '{':
      return `\\${token}`
  }
  if (token.startsWith('(?P<')) return `(?<${token.slice(4)}`
  if (token.startsWith('(?P=')) return String.raw`\k<${token.slice(4, -1)}>`
  if (token.startsWith('(?#')) return ''
  // From Node 23 on it would be taken.
  if (token.startsWith('(?')) throw new SyntaxError('flags of a part are not supported')
  if (token.startsWith('{')) return token.startsWith('{,') ? `{0${token.slice(1)}` : token
  if (!token.startsWith('\\')) return token
  if (/^\\[1-9]$/.test(token)) return token
  return escaped(token)
}

/**
 * To Python's flag `i` these are one letter, to JavaScript's two and a pair. Of all others both make the same, but of
 * letters that came to Unicode after 14.
 */
const I = 'iIıİ'

/** A single character of a pattern, as it is written in JavaScript's. */
const inAnyCase = (source: string, { ignoreCase }: PatternFlags): string =>
  ignoreCase && holdsI(codeOf(source), codeOf(source)) ? `[${I}]` : source

const holdsI = (first: number, last: number): boolean =>
  Array.from(I, (letter) => letter.charCodeAt(0)).some((code) => first <= code && code <= last)

/** NaN of what is no single character. */
const codeOf = (source: string): number => {
  const [, code] = /^\\u\{([0-9a-fA-F]+)\}$/.exec(source) ?? []
  if (code !== undefined) return Number.parseInt(code, 16)
  return source.length === 1 ? source.charCodeAt(0) : NaN
}

/** Of a class: characters, a dash as it is, one of Python's classes. */
const inner = (token: string): readonly string[] => {
  if (token === String.raw`\b`) return [String.raw`\x08`]
  if (token.startsWith('\\')) return [escaped(token)]
  return Array.from(token, (character) => (character === DASH ? DASH : literal(character)))
}

const DASH = '-'

/** A dash makes a range between two characters; anywhere else it is one. */
const ranged = (atoms: readonly string[], { ignoreCase }: PatternFlags): string => {
  let source = ''
  let hasI = false
  for (let at = 0; at < atoms.length; at += 1) {
    const [first = '', dash, last] = atoms.slice(at, at + 3)
    const isRange = dash === DASH && isCharacter(first) && last !== undefined && isCharacter(last)
    source += isRange ? `${written(first)}-${written(last)}` : written(first)
    hasI ||= holdsI(codeOf(first), codeOf(isRange ? last : first))
    if (isRange) at += 2
  }
  return ignoreCase && hasI ? source + I : source
}

const isCharacter = (atom: string): boolean => !atom.startsWith('[')

const written = (atom: string): string => (atom === DASH ? literal(DASH) : atom)

const escaped = (token: string): string => {
  const [, kind = ''] = Array.from(token)
  const own = CLASSES[kind.toLowerCase()]
  if (own !== undefined) return kind === kind.toLowerCase() ? `[${own}]` : `[^${own}]`
  if (token.length > 2) return `\\u{${token.slice(2)}}`
  if (SHARED.includes(kind)) return token
  if (kind === 'a') return String.raw`\x07`
  if (kind === '0') return String.raw`\x00`
  // As in Python, an unknown letter is a mistake.
  if (/[\dA-Za-z]/.test(kind)) throw new SyntaxError(`${token} stands for nothing`)
  return literal(kind)
}

const literal = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
