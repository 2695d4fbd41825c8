import { expect, test } from 'vitest'
import { checkColumns, promptTemplate } from '../../../benchmarks/configurable/prompt-template.ts'
import { problemAtOnce } from '../../rig/problem-of.ts'

test('A field without a column is told where it stands, and not where braces or a longer name begin alike', () => {
  const text = 'As {{note}}, {note_id}:\n{note_id!r} and {note}'
  const template = promptTemplate(text, 'prompt.txt')
  expect(
    problemAtOnce(() => checkColumns(template, { file: 'data.csv', columns: ['note_id'], rows: [] })),
  ).toMatchObject({
    code: 'benchmarks/missing-column',
    where: { file: 'prompt.txt', line: 2, column: 17, field: 'note' },
  })
})
