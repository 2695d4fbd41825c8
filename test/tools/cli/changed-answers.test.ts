import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Calibration } from '../../../targets/jury/study/calibrate.ts'
import { medmake } from '../../rig/medmake.ts'
import { ratedWorkspace } from '../rating-desk/rated-workspace.ts'
import { rateDesk, serveDesk } from '../rating-desk/served-desk.ts'

it('A table’s rating counts for no answer that came since under the same name, nor as drawn at random what a plan drew.', async () => {
  const cwd = await ratedWorkspace({ notes: 12, models: ['fake/a'] })
  const run = (...args: readonly string[]) => medmake(args, { cwd })
  expect(
    (await run('rate', 'plan', 'main', '--raters', 'ann', '--labels', '6', '--practice', '0')).code,
  ).toBe(0)
  await rateDesk(await serveDesk(cwd), (_rater, _shown, item) => ({
    scores: { accuracy: 1 + (item % 5), clarity: 3 },
  }))
  expect((await run('rate', 'export', '--csv', '--suite', 'main', '--out', 'whole.csv')).code).toBe(0)
  const rows = readFileSync(join(cwd, 'whole.csv'), 'utf8').trimEnd().split('\n')
  const cut = (columns: number, name: string): void =>
    writeFileSync(join(cwd, name), rows.map((row) => `${row.split(',').slice(0, columns).join()}\n`).join(''))
  cut(8, 'jury.csv')
  cut(6, 'bare.csv')
  const calibrated = async (table: string) => {
    const { code, stdout, stderr } = await run('jury', 'calibrate', table, '--suite', 'main', '--json')
    if (code !== 0) return [code, stderr]
    const { calibrations } = JSON.parse(stdout) as { readonly calibrations: readonly Calibration[] }
    return [calibrations[0]?.models[0]?.labels, stderr]
  }
  expect(await calibrated('whole.csv')).toEqual([2, expect.stringContaining('jury/planned-table')])
  expect([await calibrated('jury.csv'), await calibrated('bare.csv')]).toEqual([
    [6, ''],
    [6, ''],
  ])
  // Other texts, of which the judge thinks the same.
  const data = join(cwd, 'benchmarks/summaries/data.csv')
  writeFileSync(data, readFileSync(data, 'utf8').replaceAll('note ', 'memo '))
  expect((await run('run')).code).toBe(0)
  const taken = await run('rate', 'import', 'whole.csv', '--study', 'copy', '--suite', 'main')
  expect([taken.code, taken.stdout]).toEqual([
    1,
    expect.stringContaining('6 are of answers that no run here holds'),
  ])
  expect(await calibrated('whole.csv')).toEqual([
    2,
    expect.stringMatching(
      /6 ratings are of answers that the runs do not hold any more[^]*jury\/no-rated-answer/,
    ),
  ])
  writeFileSync(join(cwd, 'jury.csv'), readFileSync(join(cwd, 'jury.csv'), 'utf8').replace(/,\d\n/, ',1\n'))
  const [labels, told] = await calibrated('jury.csv')
  expect([labels, told]).toEqual([5, expect.stringContaining('1 rating is of answers')])
  expect(await calibrated('bare.csv')).toEqual([6, ''])
})
