import { expect, test } from 'vitest'
import type { InstanceIndex } from '../../../../../tools/site/pages/run/run-index.ts'
import { runRules } from '../../../../../tools/site/pages/run/rules.ts'
import { selectRows } from '../../../../../tools/site/pages/run/select-rows.ts'
import { DEFAULT_RUN_STATE } from '../../../../../tools/site/pages/run/state.ts'
import { readAddress } from '../../../../../tools/site/address-rules.ts'

test('what an address is told to have no end has none', () => {
  const index = {
    ids: ['a', 'b'],
    scores: [0, 1],
    spreads: [],
    failed: new Set(),
    trials: [0, 0],
  } as unknown as InstanceIndex
  const rules = runRules({ hasWrong: true, isApart: false })
  for (const [from, rows, faults] of [
    ['0.5', [1], 0],
    ['', [0, 1], 0],
    ['Infinity', [0, 1], 1],
    ['-Infinity', [0, 1], 1],
    ['x', [0, 1], 1],
  ] as const) {
    const state = { ...DEFAULT_RUN_STATE, from }
    expect(selectRows(index, state, 0), from).toEqual(rows)
    expect(readAddress(state, DEFAULT_RUN_STATE, rules).faults.length, from).toBe(faults)
  }
})
