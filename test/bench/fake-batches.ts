import { createHash } from 'node:crypto'

interface FakeBatch {
  readonly id: string
  readonly input: string
  readonly metadata: unknown
  status: string
  output?: string
  errors?: string
}

export interface FakeAnswered {
  readonly status: number
  readonly body: unknown
}

/** How a batch ends, when it is looked at; `in_progress` until it does. */
export type BatchEnd = 'completed' | 'failed' | 'expired' | 'cancelled' | 'in_progress'

export interface FakeBatches {
  /** Undefined where the path is none of a batch interface. `ask` answers one line's request. */
  serve(
    call: { readonly method: string; readonly path: string; readonly sent: string },
    ask: (body: Record<string, unknown>) => FakeAnswered,
  ): { readonly status: number; readonly body: unknown } | undefined
  /** How batches end from now on. */
  end(how: BatchEnd): void
}

/** OpenAI's form of batches: files and batches in memory, worked on when they are looked at. */
export const createFakeBatches = (): FakeBatches => {
  const files = new Map<string, string>()
  const batches: FakeBatch[] = []
  let how: BatchEnd = 'completed'

  const workOn = (batch: FakeBatch, ask: (body: Record<string, unknown>) => FakeAnswered): void => {
    if (batch.status !== 'in_progress' || how === 'in_progress') return
    batch.status = how
    if (how === 'failed') return
    const lines = (files.get(batch.input) ?? '').split('\n').filter((line) => line !== '')
    // Those that end early have answered half.
    const worked = how === 'completed' ? lines : lines.slice(0, Math.floor(lines.length / 2))
    const good: string[] = []
    const bad: string[] = []
    for (const line of worked) {
      const { custom_id, body } = JSON.parse(line) as { custom_id: string; body: Record<string, unknown> }
      const { status, body: answer } = ask(body)
      const response = { status_code: status, body: answer }
      const told = JSON.stringify({ custom_id, response, error: null })
      if (status === 200) good.push(told)
      else bad.push(told)
    }
    batch.output = keep(files, `${good.join('\n')}\n`)
    if (bad.length > 0) batch.errors = keep(files, `${bad.join('\n')}\n`)
  }

  return {
    end: (end) => {
      how = end
    },
    serve: ({ method, path, sent }, ask) => {
      const [, kind, id, action] =
        /\/(files|batches)(?:\/([^/?]+))?(?:\/([a-z]+))?(?:\?.*)?$/.exec(path) ?? []
      if (kind === 'files' && method === 'POST')
        return { status: 200, body: { id: keep(files, jsonLines(sent)) } }
      if (kind === 'files' && action === 'content') return { status: 200, body: files.get(id ?? '') ?? '' }
      if (kind !== 'batches') return undefined
      if (method === 'POST' && id === undefined) {
        const { input_file_id: input, metadata } = JSON.parse(sent) as {
          input_file_id: string
          metadata: unknown
        }
        const batch = { id: `batch_${batches.length + 1}`, input, metadata, status: 'in_progress' }
        batches.push(batch)
        return { status: 200, body: shown(batch) }
      }
      if (id === undefined)
        return { status: 200, body: { data: batches.map(shown).toReversed(), has_more: false } }
      const batch = batches.find((each) => each.id === id)
      if (batch === undefined) return { status: 404, body: { error: { message: `no batch ${id}` } } }
      if (action === 'cancel') batch.status = 'cancelled'
      workOn(batch, ask)
      return { status: 200, body: shown(batch) }
    },
  }
}

const keep = (files: Map<string, string>, text: string): string => {
  const id = `file-${createHash('sha256').update(`${files.size} ${text}`).digest('hex').slice(0, 16)}`
  files.set(id, text)
  return id
}

/** The lines of the form's file. */
const jsonLines = (form: string): string =>
  form
    .split(/\r?\n/)
    .filter((line) => line.startsWith('{'))
    .join('\n')

const shown = ({ id, status, metadata, output, errors }: FakeBatch): object => ({
  id,
  object: 'batch',
  status,
  metadata,
  ...(output === undefined ? {} : { output_file_id: output }),
  ...(errors === undefined ? {} : { error_file_id: errors }),
  ...(status === 'failed' ? { errors: { data: [{ message: 'the file is not well formed' }] } } : {}),
})
