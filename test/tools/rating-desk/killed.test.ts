import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { StudyStatus } from '../../../targets/ratings/status.ts'
import { killedIn } from '../../rig/killed-in.ts'
import { medmake, spawnMedmake } from '../../rig/medmake.ts'
import { planStudy } from './plan-study.ts'
import { ratedWorkspace } from './rated-workspace.ts'
import { rateDesk, serveDesk } from './served-desk.ts'

it('A withdrawal that is killed has withdrawn nothing, and the next one withdraws each rating once', async () => {
  const cwd = await ratedWorkspace({ notes: 6, models: ['fake/a'] })
  await planStudy(cwd, { raters: 'ann', labels: 3 })
  await rateDesk(await serveDesk(cwd), () => ({ scores: { accuracy: 3, clarity: 4 } }))
  const log = join(cwd, 'ratings/main/ann.jsonl')
  const before = readFileSync(log, 'utf8')
  const args = ['rate', 'withdraw', '--rater', 'ann']
  expect((await spawnMedmake(args, { cwd, env: killedIn(/ann\.jsonl/) })).code).toBe(137)
  expect(readFileSync(log, 'utf8')).toBe(before)
  expect((await medmake(args, { cwd })).code).toBe(0)
  const { raters } = JSON.parse((await medmake(['rate', 'status', '--json'], { cwd })).stdout) as StudyStatus
  expect(raters).toMatchObject([{ rated: 0, withdrawn: 3 }])
})
