import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { save } from '../../../client/save.ts'
import { type LoadChunk, wholeText } from '../../../components/text/whole-text.ts'
import { formatCount, plural } from '../../../../../cache/words/number-text.ts'
import { type InstanceIndex, pageOfRow } from '../run-index.ts'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { csvOf } from '../../../downloads/table-files.ts'
import type { ShownCell } from '../../../downloads/shown-table.ts'
import type { InstanceView, ShownText } from './instance-view.ts'
import { groupBy } from '../../../../../cache/lists.ts'
import { loadRows } from './load-rows.ts'

interface SaveInstancesProps {
  /** Name of the run, and of the files. */
  readonly run: string
  readonly rows: readonly number[]
  readonly index: InstanceIndex
  readonly load: LoadChunk
}

type Format = 'csv' | 'jsonl' | 'parquet'

const FORMATS: readonly (readonly [format: Format, label: string, type: string])[] = [
  ['csv', 'CSV', 'text/csv'],
  ['jsonl', 'JSONL', 'application/x-ndjson'],
  ['parquet', 'Parquet', 'application/vnd.apache.parquet'],
]

/** The instances that the filters leave, with all texts and metrics, as a file. */
export const SaveInstances = ({ run, rows, index, load }: SaveInstancesProps): JSX.Element => {
  const [state, setState] = useState('')
  const start = async (format: Format, type: string): Promise<void> => {
    const instances = await wholeInstances(rows, index, load, (read) =>
      setState(`${formatCount(read)} of ${formatCount(rows.length)} read …`),
    )
    const content =
      format === 'jsonl'
        ? instancesJsonl(run, instances)
        : format === 'csv'
          ? instancesCsv(instanceColumns(run, instances))
          : instancesParquet(instanceColumns(run, instances))
    save(`${run.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.${format}`, type, content)
    setState('')
  }
  return (
    <p class="downloads" role="group" aria-label="Download: instances">
      {plural(rows.length, 'request')} as{' '}
      {FORMATS.map(([format, label, type]) => (
        <>
          <button
            key={format}
            type="button"
            class="plain"
            onClick={() => {
              start(format, type).catch(() => setState('Some instances could not be loaded.'))
            }}
          >
            {label}
          </button>{' '}
        </>
      ))}
      <span role="status">{state}</span>
    </p>
  )
}

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
const instanceColumns = (run: string, instances: readonly InstanceView<string>[]): InstanceColumns => {
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
const instancesCsv = ({ names, rows }: InstanceColumns): string =>
  csvOf({ name: 'instances', head: names, rows })

/** An object a line, whole. */
const instancesJsonl = (run: string, instances: readonly InstanceView<string>[]): string =>
  instances
    .map(({ metrics, trial, ...each }) =>
      JSON.stringify({ run, ...each, trial: trial + 1, metrics: Object.fromEntries(metrics) }),
    )
    .join('\n')
    .concat('\n')

/** Texts as strings, trial and metrics as doubles; null where there is none. */
const instancesParquet = ({ names, rows }: InstanceColumns): ArrayBuffer =>
  parquetWriteBuffer({
    columnData: names.map((name, column) => ({
      name,
      data: rows.map((row) => row[column] ?? null),
      type: name === 'trial' || column >= TEXTS.length ? 'DOUBLE' : 'STRING',
      nullable: true,
    })),
  })

/** Rows with all of their texts, page after page. Rejects where a chunk can't be loaded. */
const wholeInstances = async (
  rows: readonly number[],
  index: InstanceIndex,
  load: LoadChunk,
  tell: (read: number) => void,
): Promise<readonly InstanceView<string>[]> => {
  const byRow = new Map<number, InstanceView<string>>()
  for (const batch of rowsByPage(rows, index)) {
    const views = await loadRows(batch, index, load)
    for (const [at, view] of views.entries()) byRow.set(batch[at] ?? -1, await whole(view, load))
    tell(byRow.size)
  }
  return rows.flatMap((row) => byRow.get(row) ?? [])
}

/** Rows of a page together, so that each page is loaded once. */
const rowsByPage = (rows: readonly number[], index: InstanceIndex): Iterable<readonly number[]> =>
  groupBy(
    rows.toSorted((a, b) => a - b),
    (row) => String(pageOfRow(index, row).page),
  ).values()

const whole = async (view: InstanceView, load: LoadChunk): Promise<InstanceView<string>> => {
  const text = (shown: ShownText): Promise<string> => wholeText(shown, load)
  const { error, mapped, thinking, judgePrompt, ...rest } = view
  return {
    ...rest,
    ...(error === undefined ? {} : { error: await text(error) }),
    ...(mapped === undefined ? {} : { mapped: await text(mapped) }),
    ...(thinking === undefined ? {} : { thinking: await text(thinking) }),
    ...(judgePrompt === undefined ? {} : { judgePrompt: await text(judgePrompt) }),
    prompt: await text(view.prompt),
    completions: await Promise.all(view.completions.map(text)),
    references: await Promise.all(
      view.references.map(async ({ text: shown, correct }) => ({ text: await text(shown), correct })),
    ),
    judges: await Promise.all(
      view.judges.map(async ({ name, scores }) => ({
        name,
        scores: await Promise.all(
          scores.map(async ({ explanation, ...score }) => ({
            ...score,
            explanation: await text(explanation),
          })),
        ),
      })),
    ),
    annotations: await Promise.all(
      view.annotations.map(async ({ name, json }) => ({ name, json: await text(json) })),
    ),
  }
}
