import { basename, dirname } from 'node:path'
import { defineScalarTag, floatCoreTag, NOT_RESOLVED, type Schema } from 'js-yaml'
import type { JsonObject } from '../../cache/values/json.ts'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { CORE_YAML, parseYaml, type YamlDocument } from '../../cache/problems/yaml-document.ts'
import { checkDocument } from '../../cache/problems/zod-problems.ts'
import { decodeText, readBytes } from '../sources/read-text.ts'
import type { Judge } from '../scenario/benchmark.ts'
import type { DraftInstance } from '../scenario/instance.ts'
import type { RowGuard, Table } from '../sources/table.ts'
import { DeclarationFile, type Protocol } from './schema.ts'
import { float, Float } from '../python/numbers/number.ts'

/** A benchmark.yaml in full form. */
export interface Declaration {
  readonly file: string
  readonly content: DeclarationFile
  /** Where a key stands in the file. */
  readonly place: YamlDocument['place']
  /** Of a benchmark in HELM's simple form. */
  readonly simple?: SimpleForm
}

/** What HELM's simple form has in place of a mapping and of judges of the workspace. */
export interface SimpleForm {
  /** Read besides the declaration's own. */
  readonly files: readonly string[]
  readonly judges: readonly Judge[]
  /** In the instances' key in place of protocol, mapping and arguments. */
  readonly key: JsonObject
  readonly instances: (table: Table, rows: RowGuard) => Iterable<DraftInstance>
}

/** Reads a benchmark.yaml as plain YAML. @throws ProblemError with line and column */
export const readDeclarationYaml = async (file: string): Promise<YamlDocument> =>
  parseYaml(decodeText(await readBytes(file, 'declaration'), file), file, {
    room: 'benchmarks',
    schema: DECLARATION_YAML,
    ahead: { revive: reviveFloats },
  })

/** @throws ProblemError with every fault at once */
export const checkDeclaration = (document: YamlDocument): Declaration => {
  const content = checkDocument(DeclarationFile, document, 'benchmarks')
  const problems = [
    ...nameFault(content.name, document),
    ...protocolsFault(content, document),
    ...content.protocols.flatMap((protocol, index) => protocolFaults(protocol, index, content, document)),
  ]
  if (problems.length > 0) throw new ProblemError(problems)
  return { file: document.file, content, place: (path) => document.place(path) }
}

/** The protocol of that version, else the first one; undefined where a declaration has none. */
export const protocolFor = (
  { protocols }: Pick<DeclarationFile, 'protocols'>,
  version: string | undefined,
): Protocol | undefined => protocols.find((protocol) => protocol.version === version) ?? protocols[0]

/** A benchmark is found by its folder, so both must agree. */
export const nameFault = (name: string, document: YamlDocument): readonly Problem[] => {
  const folder = basename(dirname(document.file))
  if (name === folder) return []
  return [
    {
      code: 'benchmarks/name-differs',
      message: `the benchmark is named ${JSON.stringify(name)}, its folder ${JSON.stringify(folder)}`,
      where: document.place(['name']),
      remedy: 'Give both the same name: run entries use the folder.',
    },
  ]
}

const protocolsFault = ({ needs, protocols }: DeclarationFile, document: YamlDocument): readonly Problem[] =>
  needs !== undefined || protocols.length > 0
    ? []
    : [
        {
          code: 'benchmarks/no-protocol',
          message: 'the benchmark has no protocol',
          where: document.place(['protocols']),
          remedy: 'Say under `protocols` how it is asked, or under `needs` what a run would take.',
        },
      ]

const protocolFaults = (
  protocol: Protocol,
  index: number,
  content: DeclarationFile,
  document: YamlDocument,
): readonly Problem[] => {
  const at = (...path: readonly PropertyKey[]): Problem['where'] =>
    document.place(['protocols', index, ...path])
  const problems: Problem[] = []
  const fault = (code: string, message: string, where: Problem['where'], remedy: string): void => {
    problems.push({ code: `benchmarks/${code}`, message, ...(where ? { where } : {}), remedy })
  }
  if (content.protocols.findIndex(({ version }) => version === protocol.version) < index)
    fault('duplicate-protocol', `two protocols are ${protocol.version}`, at('version'), 'Rename one of them.')
  const { instances = [] } = protocol
  for (const [entry, { from, id }] of instances.entries()) {
    if (!(from in protocol.data))
      fault(
        'unknown-data',
        `there is no data file ${JSON.stringify(from)}`,
        at('instances', entry, 'from'),
        `Name one of ${Object.keys(protocol.data).join(', ')}.`,
      )
    if ((id === undefined) !== (instances[0]?.id === undefined))
      fault(
        'mixed-ids',
        'only some of its instances have ids',
        at('instances', entry),
        'Give each entry of `instances` an `id`, or none: then instances are numbered.',
      )
  }
  for (const [entry, id] of protocol.apply_errata.entries())
    if (!content.errata.some((erratum) => erratum.id === id))
      fault(
        'unknown-erratum',
        `there is no erratum ${JSON.stringify(id)}`,
        at('apply_errata', entry),
        'List it under `errata` first.',
      )
  return [...problems, ...clusterFaults(protocol, index, content, document)]
}

/** A source that is half declared would be none: each row would then stand for itself, without a word. */
const clusterFaults = (
  { instances: mappings = [] }: Protocol,
  index: number,
  { cluster: kind }: DeclarationFile,
  document: YamlDocument,
): readonly Problem[] => {
  if (kind !== undefined)
    return mappings.length === 0 || mappings.some(({ cluster }) => cluster !== undefined)
      ? []
      : [
          {
            code: 'benchmarks/no-cluster',
            message: `nothing says which ${kind} a row is of`,
            where: document.place(['cluster']),
            remedy: "Write `cluster: '{column}'` under `instances`, or take it out.",
          },
        ]
  return mappings.flatMap(({ cluster }, entry) =>
    cluster === undefined
      ? []
      : [
          {
            code: 'benchmarks/unnamed-cluster',
            message: 'rows are given a cluster, and nothing says what it is',
            where: document.place(['protocols', index, 'instances', entry, 'cluster']),
            remedy: UNNAMED,
          },
        ],
  )
}

const UNNAMED = 'Write `cluster: patient`, or what else they share, beside `name`.'

/** Where a benchmark's own code gives clusters that the declaration doesn't name. */
export const unnamedCluster = (file: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/unnamed-cluster',
    message: 'instances are given a cluster, and nothing says what it is',
    where: { file, line: 1 },
    remedy: UNNAMED,
  })

/** `1.0` stays a float: HELM's files tell it from `1`. */
const pythonFloat = defineScalarTag<number | Float>('tag:yaml.org,2002:float', {
  implicit: true,
  implicitFirstChars: floatCoreTag.implicitFirstChars,
  resolve: (source, isExplicit, tag) => {
    const value = floatCoreTag.resolve(source, isExplicit, tag)
    if (value === NOT_RESOLVED) return NOT_RESOLVED
    return typeof value === 'number' && Number.isInteger(value) ? float(value) : value
  },
  identify: (data: unknown) => data instanceof Float,
})

/** YAML 1.2 in which whole floats are Float. */
export const DECLARATION_YAML: Schema = CORE_YAML.withTags(pythonFloat)

/** For `JSON.stringify`: a Float as `{"$float": 1}`. */
export function replaceFloats(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const own = this[key]
  return own instanceof Float ? { $float: own.value } : value
}

/** For `JSON.parse`: what `replaceFloats` wrote. */
export const reviveFloats = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$float' in value && typeof value.$float === 'number'
    ? float(value.$float)
    : value
