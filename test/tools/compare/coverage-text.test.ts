import { describe, expect, test } from 'vitest'
import { makeBoard, type Board } from '../../../targets/board/board.ts'
import type { BoardCell } from '../../../targets/board/board-cell.ts'
import { incompleteCells } from '../../../tools/site/content/incomplete-cells.ts'
import { causesText, incompleteText, underFloorText } from '../../../tools/compare/coverage-text.ts'
import { boardRunOf, type RunSketch } from '../../targets/aggregate/board-runs.ts'

const ones = (count: number): number[] => Array.from({ length: count }, () => 1)
const boardOf = (...sketches: RunSketch[]): Board => makeBoard('s', sketches.map(boardRunOf))
const cellOf = (sketch: RunSketch): BoardCell | undefined => boardOf(sketch).rows[0]?.cells[0]

test('causes are named in one order, with their number', () => {
  expect(causesText({ 'judge-unparseable': 2, 'provider-error': 1 })).toBe(
    '1 provider error, 2 unreadable judgements',
  )
  expect(causesText({})).toBe('')
})

describe('what is doubtful about a cell', () => {
  const text = (sketch: RunSketch): string => {
    const cell = cellOf(sketch)
    return cell === undefined ? 'no cell' : incompleteText(cell)
  }

  test('is nothing where all was measured', () => {
    expect(text({ values: ones(10) })).toBe('')
  })

  test('is its coverage, rounded down, and why it is not ranked', () => {
    expect(text({ values: ones(972), evaluated: 1000, causes: { 'provider-error': 28 } })).toBe(
      'unranked: 97.2 % measured, 28 provider errors',
    )
    expect(text({ values: ones(9999), evaluated: 10_000 })).toBe('99.9 % measured')
    expect(text({ values: ones(4), causes: { truncated: 1 } })).toBe('1 truncated completion')
  })

  test('depends on the floor that the benchmark declares', () => {
    expect(text({ values: ones(9), evaluated: 10, coverageFloor: 0.9 })).toBe('90.0 % measured')
    expect(text({ values: ones(9), evaluated: 10, coverageFloor: 0.95 })).toBe('unranked: 90.0 % measured')
  })
})

test('A floor between tenths of a hundredth does not read as what lies under it', () => {
  const under = { evaluated: 2000, measured: 1998, floor: 0.9995 }
  expect(underFloorText(under)).toBe('99.9 % measured, under the floor of 99.95 %')
  const [, floor] = incompleteCells(boardOf({ values: ones(1998), evaluated: 2000, coverageFloor: 0.9995 }))
  expect(floor).toContain('ranked from 99.95 % of requests')
})

test('unranked cells are all listed, and first; of the others as many as can be read', () => {
  const many = Array.from({ length: 25 }, (_, index): RunSketch => ({
    model: `m/${index}`,
    values: ones(2),
    causes: { truncated: 1 },
  }))
  const lines = incompleteCells(boardOf(...many, { model: 'm/lost', values: [1], evaluated: 2 }))
  expect(lines).toHaveLength(1 + 1 + 20 + 1)
  expect(lines[0]).toBe('~ m/lost, bench: unranked: 50.0 % measured')
  expect(lines[1]).toMatch(
    /^ {2}ranked from 99\.0 % of requests measured, and of judgements read: coverage_floor/,
  )
  expect(lines[2]).toMatch(/^ {2}m\/\d+, bench: 1 truncated completion$/)
  expect(lines.at(-1)).toBe('  and 5 ranked scores: see --json')
  const placed = boardOf({
    model: 'm/part',
    values: [1, NaN],
    evaluated: 2,
    coverageFloor: 0.5,
    causes: { 'judge-missing': 1 },
  })
  const [row] = placed.rows
  const linesOf = (value: number, score: number): readonly string[] => {
    const cells = (row?.cells ?? []).map((cell) => ({ ...cell, value, score }))
    return incompleteCells({ ...placed, rows: row === undefined ? [] : [{ ...row, cells }] })
  }
  expect(linesOf(0.5, 1)).toEqual([
    '  m/part, bench: 1 judgement without reply; placed by 1.000: the mean of what could be read in full',
  ])
  // As far as anybody can see the two are one.
  expect(linesOf(0.5, 0.5000001)).toEqual(['  m/part, bench: 1 judgement without reply'])
})
