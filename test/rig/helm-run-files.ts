import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loads } from '../../benchmarks/python/json.ts'
import { dumps } from '../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { get } from './helm-forms.ts'

export const RUN_FILES = [
  'run_spec.json',
  'scenario.json',
  'scenario_state.json',
  'stats.json',
  'per_instance_stats.json',
] as const

/** A file of a run without what differs between two runs of HELM itself: times. The others are as they lie there. */
export const timelessFile = (run: string, file: (typeof RUN_FILES)[number]): string => {
  const text = readFileSync(join(run, file), 'utf8')
  return UNTIMED.has(file) ? text : dumps(timeless(loads(text)), { indent: 2 })
}

const UNTIMED: ReadonlySet<string> = new Set(['run_spec.json', 'scenario.json'])
const TIMES: ReadonlySet<string> = new Set(['request_time', 'batch_request_time', 'request_datetime'])

const timeless = (value: PyValue): PyValue => {
  if (Array.isArray(value))
    return (value as readonly PyValue[]).filter((item) => !isRuntime(item)).map(timeless)
  if (!(value instanceof Map)) return value
  const entries = [...(value as ReadonlyMap<string, PyValue>)]
  return new Map(entries.filter(([key]) => !TIMES.has(key)).map(([key, item]) => [key, timeless(item)]))
}

const isRuntime = (item: PyValue): boolean => {
  const name = get(item, 'name', 'name')
  return typeof name === 'string' && name.includes('runtime')
}
