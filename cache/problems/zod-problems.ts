import { z } from 'zod'
import { didYouMean, suggestion } from './did-you-mean.ts'
import { ProblemError, type Problem } from './problem.ts'
import { pathText, type DocumentPath, type YamlDocument } from './yaml-document.ts'

type Issue = z.core.$ZodIssue

/** All that is wrong with what a user's code gave, in one line. */
export const faultsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ')

/**
 * The document's value as the schema types it.
 *
 * @param room first part of problem codes
 * @throws ProblemError with every fault at once: `<room>/unknown-key`, `<room>/missing-key`, `<room>/bad-value`
 */
export const checkDocument = <Schema extends z.ZodType>(
  schema: Schema,
  document: YamlDocument,
  room: string,
): z.output<Schema> => {
  // Most schemas check one document, in less time than zod takes to make code for them.
  const result = schema.safeParse(document.value, { jitless: true })
  if (result.success) return result.data
  throw new ProblemError(zodProblems(result.error, schema, document, room))
}

/**
 * One problem for each fault that zod found, each with its place in the file, in the file's order.
 * A key that is missing because it was misspelt is reported once.
 */
const zodProblems = (
  error: z.ZodError,
  schema: z.ZodType,
  document: YamlDocument,
  room: string,
): readonly Problem[] => {
  const misspelt = new Set(error.issues.flatMap((issue) => meantBy(issue, schema)))
  return error.issues
    .filter((issue) => !misspelt.has(pathText(issue.path)) || issue.code !== 'invalid_type')
    .flatMap((issue) => problemsOf(issue, issue.path, schema, document, room))
    .toSorted((a, b) => order(a, b))
}

/** Paths of the keys that unknown ones most likely stand for. */
const meantBy = (issue: Issue, schema: z.ZodType): readonly string[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.flatMap((key) => {
        const meant = didYouMean(key, keysAt(schema, issue.path))
        return meant === undefined ? [] : [pathText([...issue.path, meant])]
      })
    : []

const order = ({ where: a }: Problem, { where: b }: Problem): number =>
  (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0)

const problemsOf = (
  issue: Issue,
  path: DocumentPath,
  schema: z.ZodType,
  document: YamlDocument,
  room: string,
): readonly Problem[] => {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, path, schema, document, room))
    case 'invalid_union': {
      const branch = likeliest(issue.errors, valueAt(document.value, path))
      if (branch === undefined) break
      return branch.flatMap((inner) => problemsOf(inner, [...path, ...inner.path], schema, document, room))
    }
    case 'invalid_type':
      if (valueAt(document.value, path) === undefined) return [missingKey(path, issue, document, room)]
      break
    default:
  }
  return [badValue(path, issue, document, room)]
}

/** The branch that got furthest into the value: that it is of another kind says only that the branch was not meant. */
const likeliest = (branches: readonly (readonly Issue[])[], value: unknown): readonly Issue[] | undefined => {
  const isKind = ({ code, path }: Issue): boolean =>
    code === 'invalid_type' ||
    // A mapping is none of the words that could stand in its place.
    (code === 'invalid_value' && typeof valueAt(value, path) === 'object')
  const depth = (branch: readonly Issue[]): number =>
    Math.max(...branch.map((issue) => issue.path.length + (isKind(issue) ? 0 : 1)))
  return branches.toSorted((a, b) => depth(b) - depth(a))[0]
}

const unknownKey = (
  key: string,
  path: DocumentPath,
  schema: z.ZodType,
  document: YamlDocument,
  room: string,
): Problem => {
  const known = keysAt(schema, path)
  const list = known.length > 0 ? `Known here: ${known.join(', ')}.` : 'Remove it.'
  return {
    code: `${room}/unknown-key`,
    message: `there is no key ${JSON.stringify(key)} here`,
    where: document.place([...path, key]),
    remedy: `${suggestion(key, known)}${list}`,
  }
}

const missingKey = (path: DocumentPath, issue: Issue, document: YamlDocument, room: string): Problem => ({
  code: `${room}/missing-key`,
  message: `${JSON.stringify(pathText(path))} is missing`,
  where: document.place(path),
  remedy: `Add it; ${wanted(issue)}.`,
})

const badValue = (path: DocumentPath, issue: Issue, document: YamlDocument, room: string): Problem => {
  const found = valueAt(document.value, path)
  const name = path.length > 0 ? JSON.stringify(pathText(path)) : 'the file'
  const number = typeof found === 'object' && found !== null && 'toJSON' in found ? JSON.stringify(found) : ''
  // Whole numbers with a point stay apart where Python tells them from others.
  if (/^-?\d/.test(number))
    return {
      code: `${room}/bad-value`,
      message: `${name} can't have a point or an exponent`,
      where: document.place(path),
      remedy: `Write ${number}.`,
    }
  const hint =
    issue.code === 'invalid_value' && typeof found === 'string'
      ? suggestion(found, issue.values.map(String))
      : ''
  return {
    code: `${room}/bad-value`,
    message: `${name} can't be ${shown(found)}`,
    where: document.place(path),
    remedy: `${hint}${capital(wanted(issue))}.`,
  }
}

/** What the schema wants, in words. */
const wanted = (issue: Issue): string => {
  // A tuple's own words say what it holds.
  if (issue.code === 'invalid_type' && issue.expected !== 'tuple')
    return `it must be ${article(TYPE_NAMES[issue.expected] ?? issue.expected)}`
  if (issue.code === 'invalid_value')
    return `it must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
  return issue.message.replace(/^Invalid (?:input|string): /, '').replace(/\.$/, '')
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'whole number',
  object: 'mapping of keys to values',
  record: 'mapping of keys to values',
  array: 'list',
  boolean: 'true or false',
}

const article = (noun: string): string =>
  noun === 'text' || noun === 'true or false' ? noun : `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const shown = (value: unknown): string => {
  if (value === undefined || value === null) return 'empty'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (value instanceof Date) return 'a date'
  if (typeof value === 'object') return 'a mapping'
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const valueAt = (value: unknown, path: DocumentPath): unknown =>
  path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[part] : undefined,
    value,
  )

/** The keys that a schema knows at a path. Unions give the keys of all their branches. */
const keysAt = (schema: unknown, path: DocumentPath): readonly string[] => {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return keysAt(schema.unwrap(), path)
  if (schema instanceof z.ZodPrefault || schema instanceof z.ZodReadonly) return keysAt(schema.unwrap(), path)
  if (schema instanceof z.ZodPipe) return keysAt(schema.in, path)
  if (schema instanceof z.ZodLazy) return keysAt(schema.unwrap(), path)
  if (schema instanceof z.ZodUnion)
    return [...new Set(schema.options.flatMap((option) => keysAt(option, path)))]
  const [part, ...rest] = path
  if (schema instanceof z.ZodObject) {
    if (part === undefined) return Object.keys(schema.shape)
    return keysAt((schema.shape as Readonly<Record<PropertyKey, unknown>>)[part], rest)
  }
  if (part === undefined) return []
  if (schema instanceof z.ZodArray) return keysAt(schema.element, rest)
  return schema instanceof z.ZodRecord ? keysAt(schema.valueType, rest) : []
}
