import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

it('shows on the page of judges what repeats found of each of two benchmarks beside that one alone', async () => {
  const judges = ['fake/one', 'fake/two']
  const server = await fakeServer({
    answer: ({ model, prompt }) =>
      judges.includes(model) ? '{"accuracy": {"score": 4, "explanation": ""}}' : `An answer to ${prompt}`,
  })
  const cwd = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a', ...judges]),
    ...shortBenchmark({ name: 'letters', access: 'public', judges }, { data: 'note\nfever\ncough\n' }),
    ...shortBenchmark({ name: 'notes', access: 'public', judges }, { data: 'note\nrash\n' }),
    'targets/main.conf':
      'entries: [{description: "letters:model=fake/a"}, {description: "notes:model=fake/a"}]',
  })
  const token = 'cache/results/leaderboard/site-token'
  for (const args of [['run'], ['jury', 'repeats', '--repeats', '2'], ['report']]) {
    writeFiles(cwd, { [token]: 'known to Nx' })
    expect(await medmake(args, { cwd })).toMatchObject({ code: 0 })
    // What the board shows changed, or the board: Nx has no such report.
    expect({ args, kept: existsSync(join(cwd, token)) }).toEqual({ args, kept: args[0] === 'run' })
  }
  writeFiles(cwd, { [token]: 'known to Nx' })
  expect(await medmake(['report'], { cwd })).toMatchObject({ code: 0 })
  expect(existsSync(join(cwd, token))).toBe(true)
  const page = readFileSync(join(cwd, 'benchmark_output/site/judges.html'), 'utf8')
  const table = page.slice(page.indexOf('id="repeats"')).split('</table>')[0] ?? ''
  const rows = [...table.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/>([^<>]+)</g)].map(([, text]) => text).slice(0, 3),
  )
  expect(rows.slice(1)).toEqual([
    ['letters', 'fake/one', '2'],
    ['letters', 'fake/two', '2'],
    ['notes', 'fake/one', '1'],
    ['notes', 'fake/two', '1'],
  ])
})
