import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { BenchmarkContext } from '../../context/context.ts'
import { str } from '../../python/numbers/number.ts'
import type { PyValue } from '../../python/value.ts'
import type { Placeholders } from '../fill.ts'
import type { Argument } from '../schema.ts'

/** Where a benchmark's own data is looked for when the run entry does not say. */
export const dataFolder = (name: string, { dataPath }: Pick<BenchmarkContext, 'dataPath'>): string =>
  join(dataPath, name)

/**
 * The given arguments, those of kind `data` that were not given filled in: as a path relative to the workspace, so that
 * run_spec.json is the same on every machine.
 */
export const withDataPaths = (
  given: ReadonlyMap<string, PyValue>,
  declared: Readonly<Record<string, Argument>>,
  name: string,
  context: BenchmarkContext,
): ReadonlyMap<string, PyValue> => {
  const absent = Object.entries(declared).filter(([key, { kind }]) => kind === 'data' && !given.has(key))
  const paths = absent.map(([key, argument]): [string, PyValue] => {
    const path = join(dataFolder(name, context), str(argument.default ?? ''))
    const inside = relative(context.workspace, path)
    return [key, inside.startsWith('..') || isAbsolute(inside) ? path : inside.split(sep).join('/')]
  })
  return new Map([...given, ...paths])
}

/** Placeholders with full paths for arguments of kind `data`: given ones are relative to the working folder. */
export const fullDataPaths = (
  placeholders: Placeholders,
  given: ReadonlyMap<string, PyValue>,
  declared: Readonly<Record<string, Argument>>,
  context: BenchmarkContext,
): Placeholders => {
  const full = [...placeholders]
    .filter(([key]) => declared[key]?.kind === 'data')
    .map(([key, path]): [string, PyValue] => [
      key,
      resolve(given.has(key) ? context.cwd : context.workspace, str(path)),
    ])
  return new Map([...placeholders, ...full])
}
