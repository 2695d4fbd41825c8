import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { packageRoot } from '../../../cache/package-root.ts'
import { jsonSchemas } from '../../../tools/schemas/json-schemas.ts'

interface TwoForms {
  readonly if: { readonly anyOf: readonly { readonly required: readonly string[] }[] }
  readonly then: object
  readonly else: object
}

const CATALOG = join(packageRoot(), 'benchmarks', 'catalog')
const declared = (name: string): object =>
  load(readFileSync(join(CATALOG, name, 'benchmark.yaml'), 'utf8')) as object

it.each(readdirSync(CATALOG))('an editor finds no fault with our own %s', (name) => {
  const schema = jsonSchemas()['benchmark'] as TwoForms
  const content = declared(name)
  const isFull = schema.if.anyOf.some(({ required }) => required.every((key) => key in content))
  const form = z.fromJSONSchema(
    (isFull ? schema.then : schema.else) as Parameters<typeof z.fromJSONSchema>[0],
  )
  expect(form.safeParse(content).error?.issues).toBeUndefined()
  expect(form.safeParse({ ...content, nonsense: 1 }).success).toBe(false)
})

it('is given a schema for each file that users write', () => {
  expect(Object.keys(jsonSchemas())).toEqual(['benchmark', 'models', 'medmake'])
})

it('lets an editor tell a text in the place of a number', () => {
  const { else: simple } = jsonSchemas()['benchmark'] as TwoForms
  const { margin, coverage_floor: floor } = (simple as { properties: Record<string, object> }).properties
  for (const schema of [margin, floor] as Parameters<typeof z.fromJSONSchema>[0][]) {
    expect(z.fromJSONSchema(schema).safeParse('x').success).toBe(false)
    expect(z.fromJSONSchema(schema).safeParse(0.5).success).toBe(true)
  }
})
