import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { save } from '../../../client/save.ts'
import type { LoadChunk } from '../../../components/text/whole-text.ts'
import { formatCount, plural } from '../../../../../cache/words/number-text.ts'
import { instanceColumns, instancesCsv, instancesJsonl, instancesParquet } from './instances-file.ts'
import type { InstanceIndex } from '../run-index.ts'
import { wholeInstances } from './whole-instances.ts'

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
