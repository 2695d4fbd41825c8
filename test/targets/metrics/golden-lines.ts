import { readFileSync } from 'node:fs'
import { loads } from '../../../benchmarks/python/json.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { shared } from '../../rig/shared.ts'

export type Row = ReadonlyMap<string, PyValue>

/** Rows of a golden file of JSON lines, Python's ints and floats kept apart. */
export const goldenLines = (name: string): readonly Row[] =>
  readFileSync(shared(`golden/metrics/${name}`) ?? '', 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => loads(line) as Row)

export const textOf = (row: Row, field: string): string => row.get(field) as string
