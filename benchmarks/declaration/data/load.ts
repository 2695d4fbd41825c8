import { ProblemError, safeText } from '../../../cache/problems/problem.ts'
import { attributesFor, attributesKey, withAttributes } from '../attributes.ts'
import { isOfCatalog, loadScenario, scenarioFile } from '../scenario-module.ts'
import { fillText, type Arguments } from '../arguments.ts'
import { columnsOf, mapRows, withWholeTexts } from './map-rows.ts'
import { readSources, rowsOf, type SourceData } from './scenario-data.ts'
import { unnamedCluster, type Declaration } from '../read-declaration.ts'
import type { Protocol } from '../schema.ts'
import { SourceSection, usualFormat, type Source } from './locate.ts'
import type { Instance, DraftInstance } from '../../scenario/instance.ts'
import type { LocalFile } from '../../sources/fetch/remote-file.ts'
import type { RowGuard } from '../../sources/table.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import type { Json, JsonObject } from '../../../cache/values/json.ts'
import { codeDigest } from '../../../cache/user-code/code-files.ts'
import type { BenchmarkContext } from '../../context/context.ts'
import { fileDigest } from '../../sources/read-text.ts'

/** What decides which instances are made of the data. */
interface Loading {
  readonly declaration: Declaration
  readonly protocol: Protocol
  readonly args: Arguments
  /** Errata that the instances are without. */
  readonly corrected: readonly string[]
  readonly rows: RowGuard
}

/**
 * Declaration + data → instances, in HELM's order, one at a time: a scenario that reads its data piecemeal never holds
 * more than a piece.
 * @throws ProblemError with file, row and column for data that can't be read; `benchmarks/no-instances`
 */
export async function* loadInstances(
  loading: Loading,
  files: ReadonlyMap<string, LocalFile>,
): AsyncGenerator<Instance> {
  const data = await readSources(sourcesOf(loading), files, loading.rows, wantedColumns(loading))
  const dropped = droppedIds(loading)
  let left = 0
  for await (const instance of numbered(drafts(loading, data), loading.declaration.file)) {
    if (dropped.has(instance.id)) continue
    left += 1
    yield instance
  }
  loading.rows.refuseEmpty(left)
  if (left === 0) throw noInstances(loading, files)
}

/** Nobody would be asked anything, and the run would end well without a score. */
const noInstances = (
  { declaration: { file, content, simple }, protocol }: Loading,
  files: ReadonlyMap<string, LocalFile>,
): ProblemError => {
  const isCoded = simple === undefined && protocol.instances === undefined
  const code = isCoded ? scenarioFile(file, content.name) : undefined
  const made = code?.isBuiltIn === false ? code.file : undefined
  const [first] = files.values()
  return new ProblemError({
    code: 'benchmarks/no-instances',
    safe: safeText`the data gives no instance`,
    message: made === undefined ? 'the data gives no instance' : `${made} gave no instance`,
    where: { file: made ?? first?.path ?? file },
    remedy: 'Check that the data has rows, and that the arguments and conditions of the benchmark leave any.',
  })
}

/** The data files, the arguments filled in where they name members of archives. */
const sourcesOf = ({ protocol, args }: Loading): Protocol['data'] =>
  Object.fromEntries(
    Object.entries(protocol.data).map(([name, { member, ...source }]) => [
      name,
      member === undefined ? source : { ...source, member: fillText(member, args.placeholders) },
    ]),
  )

/** Columns that are read of each data file; of one that is not named here, all. */
const wantedColumns = ({
  declaration: { content },
  protocol,
  args,
}: Loading): ReadonlyMap<string, readonly string[]> => {
  const wanted = new Map<string, readonly string[]>()
  for (const mapping of protocol.instances ?? [])
    wanted.set(mapping.from, [
      ...(wanted.get(mapping.from) ?? []),
      ...columnsOf(mapping, args.placeholders),
      ...attributesFor(mapping, content.attributes)
        .map(({ column }) => column)
        .filter((column) => !args.placeholders.has(column)),
    ])
  for (const [name, { columns }] of Object.entries(protocol.data))
    if (columns.length > 0) wanted.set(name, columns)
  return wanted
}

async function* drafts(
  { declaration, protocol, args, corrected, rows }: Loading,
  data: SourceData,
): AsyncGenerator<DraftInstance> {
  if (declaration.simple !== undefined) {
    for (const name of Object.keys(protocol.data))
      yield* declaration.simple.instances(rowsOf(data, name, rows), rows)
  } else if (protocol.instances === undefined) {
    const scenario = await loadScenario(declaration.file, declaration.content.name)
    const version = { protocol: protocol.version, corrected, rows }
    const made = scenario.instances(data, args.placeholders, version)
    const { attributes, cluster } = declaration.content
    const place = { file: declaration.file, placeholders: args.placeholders }
    for await (const draft of withAttributes(made, attributes, place)) {
      if (draft.cluster !== undefined && cluster === undefined) throw unnamedCluster(declaration.file)
      yield draft
    }
  } else
    for (const mapping of protocol.instances)
      yield* mapRows(mapping, rowsOf(data, mapping.from, rows), args.placeholders, {
        rows,
        attributes: attributesFor(mapping, declaration.content.attributes),
      })
}

/** Of a benchmark all instances have ids, or none: then HELM numbers them by position (HELM.md B1). */
async function* numbered(
  drafts: Iterable<DraftInstance> | AsyncIterable<DraftInstance>,
  file: string,
): AsyncGenerator<Instance> {
  let index = 0
  for await (const draft of drafts) {
    yield {
      ...withWholeTexts(draft, { file, field: `instance ${index + 1}` }),
      id: draft.id ?? `id${index}`,
    }
    index++
  }
}

/** Ids stay as they were, so that an instance has one id under every protocol. */
const droppedIds = ({
  declaration,
  corrected,
}: Pick<Loading, 'declaration' | 'corrected'>): ReadonlySet<string | number> =>
  new Set(
    declaration.content.errata.filter(({ id }) => corrected.includes(id)).flatMap(({ drop }) => drop ?? []),
  )

interface DataKeyContext extends Pick<BenchmarkContext, 'fileDigests' | 'skipBadRows'> {
  /** The workspace's own code that makes the instances: its content is part of their key. */
  readonly code?: string
  readonly corrected: readonly string[]
}

/** What decides which instances there are. */
export const dataKey = async (
  declaration: Declaration,
  protocol: Protocol,
  args: Arguments,
  { context, files }: { readonly context: DataKeyContext; readonly files: ReadonlyMap<string, LocalFile> },
): Promise<JsonObject> => ({
  benchmark: declaration.content.name,
  loader: protocol.loader,
  ...(declaration.simple?.key ?? {
    protocol: protocol.version,
    mapping: digestJson(plain(protocol.instances ?? null)),
    arguments: args.key,
  }),
  ...(context.code !== undefined && {
    code: await codeDigest(context.code, (file) => fileDigest(file, context.fileDigests)),
  }),
  // Queries are run on a database; what is asked does not depend on it.
  data: Object.fromEntries(
    [...files]
      .filter(([name]) => protocol.data[name]?.format !== 'sqlite')
      .map(([name, { digest }]) => [name, digest]),
  ),
  // The simple form's key names errata only where some are corrected.
  ...(declaration.simple !== undefined && context.corrected.length === 0
    ? {}
    : { errata: context.corrected }),
  ...droppedKey(declaration, protocol, context),
  ...readingKey(declaration, protocol),
  ...attributesKey(declaration.content.attributes),
  ...(context.skipBadRows === true ? { badRows: 'skipped' } : {}),
})

/** With the mapping, which nobody is told: an id alone could be guessed from its digest. */
const droppedKey = (
  declaration: Declaration,
  { instances }: Protocol,
  { corrected }: DataKeyContext,
): JsonObject => {
  const ids = [...droppedIds({ declaration, corrected })]
  return ids.length === 0 ? {} : { dropped: digestJson([plain(instances ?? null), ...ids]) }
}

/** How files are read that are not read as most are; of a built-in benchmark `loader` says it. */
const readingKey = ({ file, content, simple }: Declaration, { data }: Protocol): JsonObject => {
  if (simple !== undefined || isOfCatalog(file, content.name)) return {}
  const read = Object.entries(data).map(([name, source]) => [name, readAs(source)] as const)
  const unusual = read.filter(([, digest]) => digest !== AS_MOST)
  return unusual.length === 0 ? {} : { reading: Object.fromEntries(unusual) }
}

const readAs = (source: Source): string =>
  digestJson(
    plain([
      source.member,
      source.optional,
      source.header,
      source.drop_undecodable,
      source.dialect,
      source.separator,
      source.na_texts,
      source.columns,
      source.rows,
      ...(source.format === usualFormat(source) ? [] : [source.format]),
    ]),
  )

/**
 * A run tells its key when it begins: what is read later would be kept as what was there then, and given for it.
 * @throws ProblemError `benchmarks/data-changed`
 */
export const refuseChanged = (told: JsonObject, now: JsonObject, file: string): void => {
  if (digestJson(told) === digestJson(now)) return
  const message = safeText`the benchmark's data was changed while the run was under way`
  throw new ProblemError({
    code: 'benchmarks/data-changed',
    safe: message,
    message,
    where: { file },
    remedy: 'Run again: what was finished is kept.',
  })
}

/** A part of the declaration as JSON: without undefined fields, whole floats as numbers. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

const AS_MOST = readAs(SourceSection.parse({ path: 'x', format: 'csv' }))
