import { describe, expect, it } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { problemsOf } from '../../rig/problem-of.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const CODE =
  "export const annotator = { fields: [{ name: 'said', type: 'text' }], annotate: () => ({ said: '' }) }\n"

const found = (annotators: string, code = CODE) => {
  const workspace = createWorkspace({
    'package.json': '{"type": "module"}',
    'targets/annotators/negation.js': code,
    'targets/annotators/other.js': `import './negation.js'\n${CODE}`,
    'benchmarks/echo/benchmark.yaml': `name: echo
description: Says a line again.
annotators: ${annotators}
metrics: [{ name: exact_match }]
`,
    'benchmarks/echo/prompt.txt': 'Repeat: {line}',
    'benchmarks/echo/data.csv': 'line,correct_answer\none,one\n',
  })
  return findBenchmark('echo', new Map(), benchmarkContext({ workspace }))
}

describe('annotators of a workspace', () => {
  it('are named by a benchmark with arguments, in its order, and are files that it hangs on', async () => {
    const { ownAnnotators, annotators, files } = await found('[other, { name: negation, args: { also: 1 } }]')
    expect(ownAnnotators?.map(({ id, timeout }) => [id, timeout])).toEqual([
      ['other', 120],
      ['negation', 120],
    ])
    expect(annotators?.map(({ className }) => className)).toEqual([
      'workspace.annotators.other',
      'workspace.annotators.negation',
    ])
    expect(files.filter((file) => file.startsWith('targets/annotators/'))).toHaveLength(3)
  })

  it.each([
    ['[negatoin]', 'unknown-annotator', 'Did you mean "negation"'],
    ['[../other]', 'unknown-annotator', 'negation, other'],
    ['[negation, negation]', 'duplicate-annotator', 'once'],
    ['[{ name: negation, arg: 1 }]', 'unknown-key', 'args'],
  ])('are refused with their place where %s is listed', async (listed, code, remedy) => {
    const [problem] = await problemsOf(found(listed))
    expect(problem).toMatchObject({ code: `benchmarks/${code}`, where: { line: 3 } })
    expect(problem?.remedy).toContain(remedy)
  })

  it.each([
    ['export const annotator = { fields: [] }', 'annotator.fields: it must list at least one field'],
    [CODE.replace("'text'", "'words'"), 'annotator.fields.0.type'],
    [CODE.replace('annotate:', 'anotate:'), 'annotator.annotate: it must be a function'],
    [CODE.replace('[{', "[{ name: 'said', type: 'text' }, {"), 'the field said is listed twice'],
    ["throw new Error('no words')", 'no words'],
  ])('are told what their file lacks: %s', async (code, message) => {
    const [problem] = await problemsOf(found('[negation]', code))
    expect(problem).toMatchObject({
      code: 'annotators/code',
      remedy: expect.stringContaining('defineAnnotator'),
    })
    expect(problem?.message).toContain(message)
  })
})
