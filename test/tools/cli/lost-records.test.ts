import { expect, test } from 'vitest'
import { createLostRecords } from '../../../tools/cli/with-session.ts'

test('Of lost records those of payments are told as such: no run makes them again.', () => {
  const lost = createLostRecords()
  expect(lost.text()).toBeUndefined()
  const lose = (table: 'ledger' | 'metrics', id: string): void =>
    lost.add({ type: 'store-corrupt-record', table, id })
  for (const id of ['a', 'a', 'b']) lose('ledger', id)
  expect(lost.text()?.split('\n')).toEqual([
    "2 records of the store can't be read (ledger 2): what they held counts as missing.",
    '  Nothing makes payments again: sums and caps by day lack these.',
    '  `medmake cache verify` lists the records, `--repair` drops them.',
  ])
  lose('metrics', 'c')
  expect(lost.text()).toMatch(
    / \(ledger 2, metrics 1\): .*\n.* lack these\.\n {2}`medmake run` makes it again, /,
  )
  const values = createLostRecords()
  values.add({ type: 'store-corrupt-record', table: 'metrics', id: 'c' })
  expect(values.text()).not.toContain('payments')
})
