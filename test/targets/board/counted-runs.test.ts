import { expect, test } from 'vitest'
import { isRanked } from '../../../targets/board/board-cell.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import { incompleteText } from '../../../tools/compare/coverage-text.ts'
import { boardRunOf } from '../aggregate/board-runs.ts'

const ones = (count: number, of: number): number[] =>
  Array.from({ length: of }, (_, at) => Number(at < count))

test('A cell is shown and not ranked where it lacks a run that other models have.', () => {
  const run = (model: string, part: number) =>
    boardRunOf({ model, name: `b:part=${part},model=${model}`, values: ones(part, 10) })
  const board = makeBoard('s', [run('m/a', 1), run('m/a', 8), run('m/b', 8), run('m/c', 1), run('m/c', 8)])
  const cells = new Map(board.rows.map(({ model, cells: [cell] }) => [model.deployment, cell]))
  expect(cells.get('m/b')).toMatchObject({ value: 0.8, missingRuns: 1, place: null })
  expect(['m/a', 'm/c'].map((name) => cells.get(name)?.place?.rank)).toEqual([1, 1])
  expect(cells.get('m/a')).not.toHaveProperty('missingRuns')
  const partial = cells.get('m/b')
  expect(partial && incompleteText(partial)).toBe('unranked: 1 run of the benchmark missing')
})

test.each([
  [
    { a: 'xy', b: 'x', c: 'x' },
    { a: 'x', b: 'x', c: 'x' },
  ],
  [
    { a: 'xy', b: 'xz' },
    { a: 'x', b: 'x' },
  ],
  [
    { a: 'xyz', b: 'xyz', c: 'x' },
    { a: 'xyz', b: 'xyz', c: '' },
  ],
  [
    { a: 'xyc', b: 'yzc', c: 'xzc' },
    { a: 'c', b: 'c', c: 'c' },
  ],
  [
    { a: 'xy', b: 'yz', c: 'xz' },
    { a: '', b: '', c: '' },
  ],
  [
    { a: 'x', b: 'y' },
    { a: '', b: '' },
  ],
  [
    { a: 'xy', b: 'x', c: 'x', d: 'y' },
    { a: 'x', b: 'x', c: 'x', d: '' },
  ],
  [{ a: 'xy' }, { a: 'xy' }],
])('A benchmark of runs %o is ranked by %o.', (had: Readonly<Record<string, string>>, ranked) => {
  const runs = Object.entries(had).flatMap(([model, parts]) =>
    parts
      .split('')
      .map((part) => boardRunOf({ model, name: `b:part=${part},model=${model}`, values: ones(1, 2) })),
  )
  const { rows } = makeBoard('s', runs)
  const byModel = rows.flatMap(({ model: { name }, cells: [cell] }) =>
    cell === undefined
      ? []
      : [[name, isRanked(cell) ? cell.runs.map((run) => run.charAt(7)).join('') : ''] as const],
  )
  expect(Object.fromEntries(byModel)).toEqual(ranked)
})
