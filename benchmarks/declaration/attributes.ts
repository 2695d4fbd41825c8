import { z } from 'zod'
import { defined } from '../../cache/values/defined.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { Float, numberOf, str } from '../python/numbers/number.ts'
import { strip } from '../python/text.ts'
import type { PyValue } from '../python/value.ts'
import { bandLabels } from '../scenario/band-labels.ts'
import type { Attribute } from '../scenario/benchmark.ts'
import type { Split, DraftInstance } from '../scenario/instance.ts'
import type { Placeholders } from './arguments.ts'
import { isMissing, missingColumn, rowPlace, type Row, type Table } from '../sources/table.ts'

const Column = z.string().min(1, 'it must be the name of a column')
const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text).source !== ''
  } catch {
    return false
  }
}

const Edge = z.union([z.number(), z.instanceof(Float)]).transform(numberOf)

const Bands = z
  .array(Edge)
  .min(1, 'it must hold at least one number')
  .refine((edges) => edges.every((edge, at) => at === 0 || edge > (edges[at - 1] ?? edge)), 'they must rise')

const Pattern = z.string().refine(isPattern, 'it must be a regular expression')

/**
 * What is known of an instance beside what is asked, such as the patient's sex: a name, and the column, or the run's
 * argument, that holds it. `pattern` takes a part of the cell: "'sex': '(\\w+)'" the sex from a list of findings.
 * `bands` makes groups of numbers: [18, 65] gives under 18, 18 to under 65, 65 and over. Neither prompts nor scores
 * depend on it; scores are shown by it.
 */
export const attributesField = z
  .record(
    z.string().regex(/^[A-Za-z]\w*$/, 'it must be one word of letters, digits and _'),
    z.union([
      Column,
      z.strictObject({ column: Column, pattern: Pattern.optional(), bands: Bands.optional() }),
    ]),
  )
  .transform((declared): readonly Attribute[] =>
    Object.entries(declared).map(([name, use]) => {
      if (typeof use === 'string') return { name, column: use }
      const { column, pattern, bands } = use
      return defined({ name, column, pattern, bands })
    }),
  )
  .default([])

/** What of them decides the list of instances; nothing where none is declared, so that older lists stay valid. */
export const attributesKey = (attributes: readonly Attribute[]): JsonObject =>
  attributes.length === 0
    ? {}
    : {
        attributes: Object.fromEntries(
          attributes.map(({ name, column, pattern, bands }) => [name, defined({ column, pattern, bands })]),
        ),
      }

/** Examples for prompts need none. */
export const attributesFor = (
  { split }: { readonly split: Split },
  attributes: readonly Attribute[],
): readonly Attribute[] => (split === 'train' ? [] : attributes)

interface AttributeUse extends Table {
  readonly placeholders?: Placeholders
  /** Columns that are read besides. */
  readonly wanted?: readonly string[]
}

/** The attributes of a row; what its cells do not state is left out. @throws ProblemError */
export const attributesOf = (
  attributes: readonly Attribute[],
  row: Row,
  table: AttributeUse,
): Pick<DraftInstance, 'attributes'> => {
  const found = attributes.flatMap((attribute) => {
    const cell = table.placeholders?.get(attribute.column) ?? row.cells.get(attribute.column)
    if (cell === undefined)
      throw missingColumn(table, attribute.column, `the attribute ${attribute.name}`, {
        ...(table.columns.includes(attribute.column) && {
          where: rowPlace(table.file, row, attribute.column),
        }),
        wanted: table.wanted ?? [],
      })
    const group = groupOf(attribute, cell)
    if (group === null) throw noNumber(attribute, row, table)
    return group === '' ? [] : [[attribute.name, group] as const]
  })
  return found.length === 0 ? {} : { attributes: Object.fromEntries(found) }
}

/**
 * The declared attributes of what a benchmark's own code makes, which gives them as `attributes` or in its extra data.
 * @throws ProblemError `benchmarks/missing-attribute` where there are instances, and none has one of them
 */
export async function* withAttributes(
  drafts: Iterable<DraftInstance> | AsyncIterable<DraftInstance>,
  attributes: readonly Attribute[],
  { file, placeholders }: { readonly file: string; readonly placeholders: Placeholders },
): AsyncGenerator<DraftInstance> {
  const unseen = new Set(attributes.map(({ name }) => name))
  let isEmpty = true
  for await (const { attributes: own = {}, ...draft } of drafts) {
    isEmpty = false
    const found = attributes.flatMap((attribute) => {
      const { column } = attribute
      const value = placeholders.get(column) ?? own[column] ?? draft.extraData?.get(column)
      if (value === undefined) return []
      unseen.delete(attribute.name)
      const group = groupOf(attribute, value)
      return group === null || group === '' ? [] : [[attribute.name, group] as const]
    })
    yield found.length === 0 ? draft : { ...draft, attributes: Object.fromEntries(found) }
  }
  // That there are none has a problem of its own.
  for (const { name, column } of isEmpty ? [] : attributes.filter((each) => unseen.has(each.name)))
    throw new ProblemError({
      code: 'benchmarks/missing-attribute',
      message: `no instance has ${JSON.stringify(column)}, which the attribute ${name} names`,
      where: { file },
      remedy: `Give it in the scenario, as \`attributes: { ${column}: … }\` of each instance, or take it out.`,
    })
}

/** A cell that the data may lack, as a benchmark's own code gives it as an attribute. */
export const stated = (row: Row | undefined, column: string): string => textOf(row?.cells.get(column) ?? null)

const textOf = (cell: PyValue): string => (cell === null || isMissing(cell) ? '' : strip(str(cell)))

/** Empty where nothing is stated; null where a number is wanted and there is none. */
const groupOf = ({ bands, pattern }: Attribute, cell: PyValue): string | null => {
  const whole = textOf(cell)
  const found = pattern === undefined ? undefined : new RegExp(pattern).exec(whole)
  const text = found === undefined ? whole : (found?.[1] ?? found?.[0] ?? '')
  if (bands === undefined || text === '') return text
  const value = Number(text)
  return Number.isFinite(value) ? bandOf(value, bands) : null
}

const bandOf = (value: number, bands: readonly number[]): string => {
  const above = bands.findIndex((edge) => value < edge)
  return bandLabels(bands)[above < 0 ? bands.length : above] ?? ''
}

const noNumber = ({ name, column }: Attribute, row: Row, table: Table): ProblemError =>
  new ProblemError({
    code: 'benchmarks/attribute-number',
    message: `row ${row.row} has no number in ${column}, of which the attribute ${name} has bands`,
    where: rowPlace(table.file, row, column),
    remedy: 'Write a number, or leave the cell empty.',
  })
