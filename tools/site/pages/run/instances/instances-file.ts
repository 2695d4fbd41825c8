import { parquetWriteBuffer } from 'hyparquet-writer'
import { csvOf } from '../../../downloads/table-files.ts'
import type { ShownCell } from '../../../downloads/shown-table.ts'
import type { InstanceView } from './instance-view.ts'

/** A run's instances as a table: a row a request, a column a text or metric. */
interface InstanceColumns {
  readonly names: readonly string[]
  readonly rows: readonly (readonly ShownCell[])[]
}

const TEXTS = [
  'run',
  'instance',
  'trial',
  'split',
  'prompt',
  'completion',
  'references',
  'error',
  'thinking',
  'judges',
] as const

/** Lists in JSON, so that nothing is lost of them; metrics in the order in which they first come. */
export const instanceColumns = (run: string, instances: readonly InstanceView<string>[]): InstanceColumns => {
  const metrics = [...new Set(instances.flatMap((each) => each.metrics.map(([name]) => name)))]
  return {
    names: [...TEXTS, ...metrics],
    rows: instances.map((each) => {
      const values = new Map(each.metrics)
      const [only, ...more] = each.completions
      return [
        run,
        each.id,
        each.trial + 1,
        each.split,
        each.prompt,
        more.length === 0 ? (only ?? null) : JSON.stringify(each.completions),
        each.references.length === 0 ? null : JSON.stringify(each.references),
        each.error ?? null,
        each.thinking ?? null,
        each.judges.length === 0 ? null : JSON.stringify(each.judges),
        ...metrics.map((name) => values.get(name) ?? null),
      ]
    }),
  }
}

/** RFC 4180. */
export const instancesCsv = ({ names, rows }: InstanceColumns): string =>
  csvOf({ name: 'instances', head: names, rows })

/** An object a line, whole. */
export const instancesJsonl = (run: string, instances: readonly InstanceView<string>[]): string =>
  instances
    .map(({ metrics, trial, ...each }) =>
      JSON.stringify({ run, ...each, trial: trial + 1, metrics: Object.fromEntries(metrics) }),
    )
    .join('\n')
    .concat('\n')

/** Texts as strings, trial and metrics as doubles; null where there is none. */
export const instancesParquet = ({ names, rows }: InstanceColumns): ArrayBuffer =>
  parquetWriteBuffer({
    columnData: names.map((name, column) => ({
      name,
      data: rows.map((row) => row[column] ?? null),
      type: name === 'trial' || column >= TEXTS.length ? 'DOUBLE' : 'STRING',
      nullable: true,
    })),
  })
