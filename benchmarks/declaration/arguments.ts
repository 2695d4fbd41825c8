import { suggestion } from '../../cache/problems/did-you-mean.ts'
import type { Json, JsonObject } from '../../cache/values/json.ts'
import { ProblemError, type Place, type Problem } from '../../cache/problems/problem.ts'
import { numberOf, Float, str } from '../python/numbers/number.ts'
import type { PyValue } from '../python/value.ts'
import type { Argument } from './schema.ts'

/** Arguments of a run entry, checked and with defaults. */
export interface Arguments {
  readonly values: ReadonlyMap<string, PyValue>
  /** The values, and what the declaration says that each choice implies. */
  readonly placeholders: Placeholders
  /** What enters the key of the instances: values, not paths. */
  readonly key: JsonObject
}

interface ArgumentContext {
  /** For messages. */
  readonly benchmark: string
  /** The run entry, where it is known. */
  readonly where?: Place
}

/** @throws ProblemError `benchmarks/unknown-argument`, `benchmarks/missing-argument`, `benchmarks/bad-argument` */
export const checkArguments = (
  given: ReadonlyMap<string, PyValue>,
  declared: Readonly<Record<string, Argument>>,
  context: ArgumentContext,
): Arguments => {
  const names = Object.keys(declared)
  const unknown = [...given.keys()].filter((name) => !names.includes(name))
  const problems = unknown.map((name) => unknownArgument(name, names, context))
  const values = new Map<string, PyValue>()
  for (const [name, argument] of Object.entries(declared)) {
    const value = given.has(name) ? given.get(name) : argument.default
    const problem =
      given.has(name) || value === undefined ? faultOf(name, value, argument, context) : undefined
    if (problem) problems.push(problem)
    else if (value !== undefined) values.set(name, asDeclared(value, argument))
  }
  if (problems.length > 0) throw new ProblemError(problems)
  const implied = [...values].flatMap(([name, value]) => impliedBy(value, declared[name]))
  const inKey = [...values].filter(([name]) => declared[name]?.kind === 'value')
  return {
    values,
    placeholders: new Map<string, PyValue>([...values, ...implied]),
    key: Object.fromEntries(inKey.map(([name, value]) => [name, plain(value)])),
  }
}

const impliedBy = (value: PyValue, argument: Argument | undefined): readonly [string, string][] => {
  const choices = argument?.choices
  return choices === undefined || Array.isArray(choices) ? [] : Object.entries(choices[str(value)] ?? {})
}

/** A text argument stays text although run entries read `007` as a number. */
const asDeclared = (value: PyValue, { type }: Argument): PyValue =>
  type === 'text' && value !== null && typeof value !== 'boolean' ? str(value) : value

const faultOf = (
  name: string,
  value: PyValue | undefined,
  argument: Argument,
  context: ArgumentContext,
): Problem | undefined => {
  if (value === undefined)
    return problem(
      'missing',
      `${context.benchmark} needs the argument ${name}`,
      context,
      remedyFor(name, argument),
    )
  // Where nothing is the default it may be said.
  if (value === null && argument.default === null) return undefined
  const choices = choicesOf(argument)
  const fits = choices === undefined ? hasType(value, argument.type) : choices.includes(str(value))
  if (fits) return undefined
  const near = choices === undefined ? '' : suggestion(str(value), choices)
  return problem(
    'bad',
    `${name} of ${context.benchmark} can't be ${JSON.stringify(str(value))}`,
    context,
    `${near}${remedyFor(name, argument)}`,
  )
}

const hasType = (value: PyValue, type: Argument['type']): boolean => {
  if (value === null) return false
  if (type === 'text' || type === 'flag') return true
  if (typeof value === 'bigint') return true
  return type === 'integer'
    ? typeof value === 'number' && Number.isInteger(value)
    : typeof value === 'number' || value instanceof Float
}

const choicesOf = ({ choices }: Argument): readonly string[] | undefined =>
  choices === undefined || Array.isArray(choices) ? choices : Object.keys(choices)

const remedyFor = (name: string, argument: Argument): string => {
  const choices = choicesOf(argument)
  const what = choices === undefined ? `a ${argument.type}` : `one of ${choices.join(', ')}`
  return `Write ${name}=<${what}>${argument.about === undefined ? '' : `: ${argument.about}`}.`
}

const unknownArgument = (name: string, names: readonly string[], context: ArgumentContext): Problem =>
  problem(
    'unknown',
    `${context.benchmark} has no argument ${JSON.stringify(name)}`,
    context,
    names.length > 0
      ? `${suggestion(name, names)}It takes ${names.join(', ')}.`
      : 'It takes no arguments: leave it out.',
  )

const problem = (kind: string, message: string, { where }: ArgumentContext, remedy: string): Problem => ({
  code: `benchmarks/${kind}-argument`,
  message,
  ...(where === undefined ? {} : { where }),
  remedy,
})

/** The same value for a key. Whole numbers are equal to their floats there, as in Python's dicts. */
const plain = (value: PyValue): Json => {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number' || value instanceof Float) return numberOf(value)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return value === null ? null : str(value)
}

/** Arguments and what their values imply, by placeholder name. */
export type Placeholders = ReadonlyMap<string, PyValue>

const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g

/** Puts arguments into a text, printed as Python prints them. Braces around anything else stay as they are. */
export const fillText = (text: string, values: Placeholders): string =>
  text.replace(PLACEHOLDER, (whole, name: string) => {
    const value = values.get(name)
    return value === undefined ? whole : str(value)
  })

/** The same for a YAML value; a text that is one placeholder alone becomes the argument with its type. */
const fillValue = (value: unknown, values: Placeholders): PyValue => {
  if (typeof value === 'string') {
    const alone = values.get(/^\{(\w+)\}$/.exec(value)?.[1] ?? '')
    return alone === undefined ? fillText(value, values) : alone
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, values))
  if (isMapping(value)) return fillRecord(value, values)
  return value as PyValue
}

export const fillRecord = (
  record: Readonly<Record<string, unknown>>,
  values: Placeholders,
): ReadonlyMap<string, PyValue> =>
  new Map(Object.entries(record).map(([key, item]) => [key, fillValue(item, values)]))

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
