import { describe, expect, it } from 'vitest'
import { parseYaml } from '../../../cache/problems/yaml-document.ts'
import { newBenchmark, withNotice, type NewBenchmark } from '../../../tools/benchmark/new-benchmark.ts'

const WANTED: NewBenchmark = { name: 'notes', access: 'private', metrics: ['exact_match'], judges: [] }

const made = (more: Partial<NewBenchmark> = {}, home: 'workspace' | 'clone' = 'workspace') => {
  const { files, notice } = newBenchmark({ ...WANTED, ...more }, home)
  const [[path, text] = ['', '']] = files
  const declared = parseYaml(text, path, { room: 'benchmarks' }).value as Readonly<Record<string, unknown>>
  return { files, notice, paths: [...files.keys()], declared, text }
}

describe('a new benchmark', () => {
  it('is declared as it was wanted, with a prompt, rows and a test of its own', () => {
    const { declared, paths, notice, text } = made()
    expect(declared).toMatchObject({
      name: 'notes',
      access: 'private',
      max_tokens: 20,
      metrics: [{ name: 'exact_match' }],
    })
    expect(declared).not.toHaveProperty('licence')
    expect(text).toContain('# licence: of the data;')
    expect(paths).toEqual([
      'benchmarks/notes/benchmark.yaml',
      'benchmarks/notes/prompt.txt',
      'benchmarks/notes/data.csv',
      'test/notes.test.mjs',
    ])
    expect(notice).toBe('benchmarks/notes holds data of: source not stated. Licence: unchecked.')
  })

  it('tells licence and source where they are said, and asks judges with a rubric', () => {
    const judges = [{ name: 'j/gpt', model: 'j/model' }]
    const { declared, files, notice } = made({
      access: 'gated',
      metrics: ['jury_score', 'rouge_l'],
      judges,
      ownMetric: 'mine',
      licence: 'CC: BY',
      source: 'a ward',
      description: 'What "they" wrote.',
    })
    expect(declared).toMatchObject({
      access: 'gated',
      licence: 'CC: BY',
      description: 'What "they" wrote.',
      max_tokens: 200,
      metrics: [
        { name: 'mine' },
        {
          name: 'jury_score',
          prompt_file: 'rubric.txt',
          scale: [1, 5],
          default_score: 1,
          judges: [{ name: 'j/gpt', model_name: 'j/model' }],
        },
        { name: 'rouge_l' },
      ],
    })
    expect(files.get('benchmarks/notes/rubric.txt')).toContain('{RESPONSE}')
    expect(files.get('targets/metrics/mine.ts')).toContain("name: 'mine'")
    expect(notice).toBe('benchmarks/notes holds data of: a ward. Licence: CC: BY.')
  })

  it('goes into the catalog of a clone', () => {
    expect(made({}, 'clone').paths).toEqual([
      'benchmarks/catalog/notes/benchmark.yaml',
      'benchmarks/catalog/notes/prompt.txt',
      'benchmarks/catalog/notes/data.csv',
      'test/benchmarks/catalog/notes.test.ts',
    ])
  })
})

it('A line of NOTICE is added once, below the others', () => {
  const first = withNotice('', 'one')
  expect(first).toBe('Data that this workspace holds, and whose it is.\n\none\n')
  expect(withNotice(first, 'one')).toBe(first)
  expect(withNotice('as it was', 'two')).toBe('as it was\n\ntwo\n')
})
