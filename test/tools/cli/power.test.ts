import { expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

interface Plan {
  readonly plans: readonly { readonly instances: number; readonly detectable: number | null }[]
  readonly needed: {
    readonly instances: number
    readonly sources: number
    readonly detectable: number
  } | null
}

const power = async (...flags: readonly string[]): Promise<Plan> =>
  JSON.parse((await medmake(['power', '--json', ...flags], { cwd: createWorkspace() })).stdout) as Plan

it('a planned benchmark needs as many instances as the test that compares it, and none is said where none is', async () => {
  const { plans, needed } = await power(
    '--discordant',
    '0.2',
    '--instances',
    '4',
    '10',
    '--difference',
    '0.1',
  )
  expect(plans.map(({ detectable }) => detectable)).toEqual([null, expect.closeTo(0.580865390598774, 9)])
  // The normal formula asks for (1.96 + 0.84)² × (0.2 − 0.1²) / 0.1² = 149.
  expect(needed?.instances).toBeGreaterThan(140)
  expect(needed?.instances).toBeLessThan(175)
  expect(needed?.detectable).toBeLessThanOrEqual(0.1)
})

it('instances of the same patients tell less than their number', async () => {
  const alone = await power('--sd', '0.7', '--difference', '0.2')
  const shared = await power(
    '--sd',
    '0.7',
    '--difference',
    '0.2',
    '--per-source',
    '8',
    '--correlation',
    '0.4',
  )
  expect(alone.needed?.instances).toBe(99)
  expect(shared.needed?.instances).toBeGreaterThan(3 * 99)
  expect((shared.needed?.sources ?? 0) * 8).toBe(shared.needed?.instances)
})

it.each([
  ['--difference 2', '--difference 2 is not a number from 0 to 1'],
  ['--difference 5 --sd 1', '--difference 5 is not a number from 0 to 4'],
  // No test notices less often than by chance.
  ['--power 0.05 --sd 1', '--power 0.05 is not a number from 0.1'],
  ['--instances 1000000000', '--instances 1000000000 is not a whole number from 1 to 1000000'],
  ['--discordant 0.2 --sd 1', '--discordant says nothing beside --sd'],
  ['--correlation 0.5', '--correlation says nothing without --per-source'],
  // Differences lie within ± the range: none deviate by more.
  ['--sd 5', '--sd 5 is not a number up to --range 4'],
  ['--range 3', '--range says nothing without --sd'],
])('what can’t be planned by is refused by its flag: %s', async (flags, message) => {
  const { code, stderr } = await medmake(['power', ...flags.split(' ')], { cwd: createWorkspace() })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})
