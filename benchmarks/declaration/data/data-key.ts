import { digestJson } from '../../../cache/values/digest.ts'
import type { Json, JsonObject } from '../../../cache/values/json.ts'
import { codeDigest } from '../../../cache/user-code/code-digest.ts'
import type { BenchmarkContext } from '../../context/context.ts'
import type { LocalFile } from '../../sources/fetch/remote-file.ts'
import { fileDigest } from '../../sources/file-digest.ts'
import type { Arguments } from '../arguments.ts'
import { attributesKey } from '../attributes.ts'
import type { Declaration } from '../read-declaration.ts'
import type { Protocol } from '../schema.ts'

export interface DataKeyContext extends Pick<BenchmarkContext, 'fileDigests' | 'skipBadRows'> {
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
  ...(context.code === undefined
    ? {}
    : { code: await codeDigest(context.code, (file) => fileDigest(file, context.fileDigests)) }),
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
  ...attributesKey(declaration.content.attributes),
  ...(context.skipBadRows === true ? { badRows: 'skipped' } : {}),
})

/** A part of the declaration as JSON: without undefined fields, whole floats as numbers. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json
