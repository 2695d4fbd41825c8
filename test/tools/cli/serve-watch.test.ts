import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesWithCanaries, foundIn } from '../../rig/canary.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { alike, shardWorkspace } from '../../rig/shard-workspace.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

test('a board that is watched fills as shards bring their answers, and shows no text of a private benchmark', async () => {
  const server = await fakeServer({ answer: alike })
  const cwd = shardWorkspace(server, { rows: 8 })
  const [tier, scratch] = [temporaryFolder(), temporaryFolder()]
  const shard = async (index: number): Promise<void> => {
    const ended = await medmake(['run', '--shard', `${index}/2`, '--tier', tier], { cwd })
    expect(ended.code, ended.stderr).toBe(0)
  }
  await shard(0)
  const asked = server.journal().requests
  const watching = startMedmake(['serve', '--watch', '--every', '1', '--tier', tier, '--port', '0'], {
    cwd,
    env: { TMPDIR: scratch },
  })
  let said = ''
  try {
    const url = await new Promise<string>((resolve, reject) => {
      watching.stdout.on('data', (data: Buffer) => {
        said += data.toString()
        const address = /http:\S+/.exec(said)
        if (address !== null) resolve(address[0])
      })
      void watching.then(({ stderr }) => reject(new Error(stderr)))
    })
    const board = async (): Promise<string> => (await fetch(new URL('board.json', url))).text()
    const half = await board()
    const page = await fetch(url)
    expect([page.status, page.headers.get('refresh')]).toEqual([200, '1'])
    expect(server.journal().requests).toBe(asked)
    await shard(1)
    const whole = server.journal().requests
    const head = await medmake(['run', '--tier', tier], { cwd })
    expect(head.code, head.stderr).toBe(0)
    const alone = join(scratch, 'alone')
    expect((await medmake(['report', '--site', alone], { cwd })).code).toBe(0)
    const full = readFileSync(join(alone, 'board.json'), 'utf8')
    expect(half).not.toBe(full)
    await expect.poll(board, { timeout: 60_000, interval: 100 }).toBe(full)
    expect(server.journal().requests).toBe(whole)
    const folder = readdirSync(scratch).find((name) => name.startsWith('medmake-site-')) ?? ''
    const site = join(scratch, folder, 'watched/site')
    expect(readdirSync(site)).toContain('board.json')
    expect(filesWithCanaries(site)).toEqual([])
    expect(filesWithCanaries(tier)).toEqual([])
    const runs = readdirSync(join(scratch, folder, 'watched/runs/main'))
    for (const run of runs.filter((name) => name.startsWith('closed'))) {
      const path = `benchmark_output/runs/main/${encodeURIComponent(run)}/scenario_state.json`
      expect((await fetch(new URL(path, url))).status).toBe(404)
    }
  } finally {
    watching.kill('SIGINT')
  }
  const { exitCode, stdout, stderr } = await watching
  expect(exitCode, stderr).toBe(0)
  expect(foundIn(stdout + stderr)).toEqual([])
})

test('what is watched is named', async () => {
  const cwd = shardWorkspace({ url: 'http://127.0.0.1:1' }, { rows: 1 })
  for (const args of [['--watch'], ['--every', '5'], ['--tier', cwd]]) {
    const told = await medmake(['serve', ...args], { cwd })
    expect([told.code, told.stderr]).toEqual([2, expect.stringContaining('cli/missing-flag')])
  }
})
