import { expect, test } from 'vitest'
import { attributesFor } from '../../../benchmarks/declaration/attributes.ts'
import { checkArguments } from '../../../benchmarks/declaration/arguments.ts'
import { columnsOf, mapRows } from '../../../benchmarks/declaration/data/map-rows.ts'
import type { Argument, Mapping, Protocol } from '../../../benchmarks/declaration/schema.ts'
import { catalogEntries, declaredBenchmark, readEntry } from '../../../benchmarks/lookup/find.ts'
import { Float, str } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import type { Row } from '../../../benchmarks/sources/table.ts'
import { defined } from '../../../cache/values/defined.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { promptText } from '../../../targets/adapters/prompt.ts'
import { benchmarkContext, instancesOf, type TestContext } from '../../rig/benchmark-context.ts'

type Given = ReadonlyMap<string, PyValue>

/** Every choice of every argument once, the others at their default or first choice. */
const argumentsOf = (declared: Readonly<Record<string, Argument>>): readonly Given[] => {
  const choicesOf = ({ choices = [] }: Argument): readonly string[] =>
    Array.isArray(choices) ? choices : Object.keys(choices)
  const usual = Object.entries(declared).flatMap(([name, argument]) => {
    const [first] = choicesOf(argument)
    return argument.default !== undefined || first === undefined ? [] : [[name, first] as const]
  })
  const flags = (argument: Argument): readonly PyValue[] => (argument.type === 'flag' ? [true] : [])
  return [
    new Map(usual),
    ...Object.entries(declared).flatMap(([name, argument]) =>
      [...choicesOf(argument), ...flags(argument)].map(
        (value) => new Map([...usual, [name, value] as const]),
      ),
    ),
  ]
}

/** Rows that hold each column's own name, one for each answer that a reference may be right by. */
const rowsFor = (mapping: Mapping, columns: readonly string[]): readonly Row[] => {
  const kept = mapping.keep.flatMap(({ column, equals }) => (equals === undefined ? [] : [[column, equals]]))
  const answers = mapping.references.flatMap(({ correct }) =>
    typeof correct === 'boolean' ? [] : [[correct.value.slice(1, -1), correct.is] as const],
  )
  return (answers.length === 0 ? [undefined] : answers).map((answer, index) => {
    const own = columns.map((column) => [column, `${column} ${index}`] as const)
    const cells = [...own, ...kept, ...(answer === undefined ? [] : [answer])]
    return { cells: new Map(cells as readonly (readonly [string, PyValue])[]), row: index, line: index }
  })
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (key, each: unknown) => {
    // Where a judge is named is a path of this machine.
    if (key === 'where') return undefined
    if (each instanceof Map) return [...(each as ReadonlyMap<unknown, unknown>)]
    return each instanceof Float || typeof each === 'bigint' ? str(each) : each
  })

/** What is asked of invented rows, and how answers are scored and judged. */
const askedBy = async (benchmark: Benchmark, given: Given, protocol: Protocol | undefined) => {
  const { files: _, data: __, description: ___, displayName: ____, queries, ...rest } = benchmark
  const asked = (instance: Instance, train: readonly Instance[]) => ({
    instance,
    prompt: promptText({ adapter: benchmark.adapter, train, instance }),
  })
  // The simple form's own data lies beside it.
  if (protocol === undefined) {
    const instances = await instancesOf(benchmark)
    return { rest, asked: instances.map((each) => asked(each, [])) }
  }
  const { data, loader, apply_errata, instances = [] } = protocol
  const { placeholders } = checkArguments(given, protocol.arguments, { benchmark: benchmark.name })
  const made = instances.map((mapping) => {
    const attributes = attributesFor(mapping, benchmark.attributes ?? [])
    const named = [...columnsOf(mapping, placeholders), ...attributes.map(({ column }) => column)]
    const columns = [...new Set(named)].filter((name) => !placeholders.has(name) && name !== mapping.number)
    const table = { file: 'rows', columns, rows: rowsFor(mapping, columns) }
    const drafts = mapRows(mapping, table, placeholders, { attributes })
    const whole = drafts.map((draft, index) => ({ id: `id${index}`, ...draft }))
    return { mapping, asked: whole.map((each) => asked(each, whole.slice(0, 1))) }
  })
  const parts = { data, loader, apply_errata, placeholders, gold: queries?.gold }
  return { rest, made, ...parts }
}

/** `npx vitest run test/benchmarks/catalog/asked.test.ts -u` writes the file anew. */
test('each protocol of each benchmark asks, scores and judges as its digest says', async () => {
  const digests: Record<string, string> = {}
  const contexts = new Map<string | undefined, TestContext>()
  for (const entry of await catalogEntries(benchmarkContext())) {
    const read = await readEntry(entry)
    for (const protocol of read.declaration?.content.protocols ?? [undefined]) {
      if (read.declaration?.content.needs !== undefined) continue
      const version = defined({ protocol: protocol?.version })
      const context = contexts.get(version.protocol) ?? benchmarkContext(version)
      contexts.set(version.protocol, context)
      const parts: unknown[] = []
      for (const given of argumentsOf(protocol?.arguments ?? {}))
        parts.push(await askedBy(await declaredBenchmark(read, given, context), given, protocol))
      const name = [entry.name, protocol?.version].filter((part) => part !== undefined).join(' ')
      digests[name] = digestOf(asText(parts)).slice(0, 16)
    }
  }
  await expect(`${JSON.stringify(digests, null, 2)}\n`).toMatchFileSnapshot('asked.digests.json')
})
