import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { gridFiles } from '../../bench/grid-files.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { createNxWorkspace } from '../../rig/nx.ts'
import { nxRun, type NxRun } from '../../rig/nx-tasks.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const FILES = gridFiles({ benchmarks: 1, models: 2, rows: 3 })
const TASKS = 5

const kept = new Map<string, Buffer>()
/** Nx's self-hosted cache: what was put under a hash is got again. */
const remote = createServer((request, response) => {
  const hash = /^\/v1\/cache\/(\w+)$/.exec(request.url ?? '')?.[1] ?? ''
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (request.method === 'PUT') kept.set(hash, Buffer.concat(chunks))
    const found = kept.get(hash)
    response.writeHead(found === undefined ? 404 : 200).end(request.method === 'PUT' ? '' : found)
  })
})
const listening = new Promise<string>((resolve) => {
  remote.listen(0, '127.0.0.1', () => {
    resolve(`http://127.0.0.1:${(remote.address() as AddressInfo).port}`)
  })
})
afterAll(() => remote.close())
const remoteCache = async () => ({
  NX_SELF_HOSTED_REMOTE_CACHE_SERVER: await listening,
  NX_SELF_HOSTED_REMOTE_CACHE_ACCESS_TOKEN: 'W',
  CI: '1',
})

const report = (cwd: string, env: Readonly<Record<string, string>> = {}): Promise<NxRun> =>
  nxRun(['run', 'leaderboard:report', '--output-style=static'], { cwd, env })
const board = (cwd: string): string => join(cwd, 'benchmark_output/site/index.html')

describe("Nx's cache", () => {
  it('is no hit in a workspace whose store lacks the results, when a server hands it on', async () => {
    const env = await remoteCache()
    const [one, two] = [createNxWorkspace(FILES), createNxWorkspace(FILES)]
    expect(await report(one, env)).toMatchObject({ code: 0 })
    expect(kept.size).toBe(TASKS)
    const second = await report(two, env)
    expect({ code: second.code, ran: second.ran.length, board: existsSync(board(two)) }).toEqual({
      code: 0,
      ran: TASKS,
      board: true,
    })
    // Before it says that anything was made.
    const [told, made] = ['holds digests of results', 'wrote:'].map((text) => second.output.indexOf(text))
    expect(told).toBeGreaterThan(-1)
    expect(told).toBeLessThan(made ?? -1)
    // A clean checkout beside the store that was kept: what is in the store is a hit, from the server.
    rmSync(join(one, 'cache/nx'), { recursive: true })
    rmSync(join(one, 'cache/results'), { recursive: true })
    rmSync(join(one, 'benchmark_output'), { recursive: true })
    const again = await report(one, env)
    expect({ code: again.code, ran: again.ran, board: existsSync(board(one)) }).toEqual({
      code: 0,
      ran: ['leaderboard:report'],
      board: true,
    })
  })

  it('costs no call in a clone that shares a tier', async () => {
    const server = await fakeServer()
    const files = gridFiles({ benchmarks: 1, models: 1, rows: 3, url: server.url })
    const settings = `${files['medmake.yaml'] ?? ''}store: { tier: ${temporaryFolder()} }\n`
    const clone = (): string => createNxWorkspace({ ...files, 'medmake.yaml': settings })
    const [one, two] = [clone(), clone()]
    const env = await remoteCache()
    expect(await report(one, env)).toMatchObject({ code: 0 })
    const { requests } = server.journal()
    expect(requests).toBe(3)
    const second = await report(two, env)
    expect({ code: second.code, board: readFileSync(board(two), 'utf8') }, second.output).toEqual({
      code: 0,
      board: readFileSync(board(one), 'utf8'),
    })
    expect(second.output).not.toContain('holds digests of results')
    expect(server.journal().requests).toBe(requests)
  })

  it('is made up for by the report where the store’s folder holds an older copy, and is no hit without a store', async () => {
    const cwd = createNxWorkspace(FILES)
    const first = await nxRun(['run', 'grid_m00--b00:score'], { cwd })
    expect(first).toMatchObject({ code: 0 })
    cpSync(join(cwd, 'cache/store'), join(cwd, 'older'), { recursive: true })
    expect(await report(cwd)).toMatchObject({ code: 0 })
    const before = readFileSync(board(cwd), 'utf8')
    for (const name of readdirSync(join(cwd, 'cache/store')))
      rmSync(join(cwd, 'cache/store', name), { recursive: true })
    rmSync(join(cwd, 'benchmark_output'), { recursive: true })
    cpSync(join(cwd, 'older'), join(cwd, 'cache/store'), { recursive: true })
    const second = await report(cwd)
    expect(second).toMatchObject({ code: 0, ran: ['leaderboard:report'] })
    expect(second.output).toContain('b00:model=grid_m01: 3 requests scored')
    expect(second.output).not.toContain('not finished')
    expect(readFileSync(board(cwd), 'utf8')).toBe(before)
    expect(await report(cwd)).toMatchObject({ code: 0, hits: TASKS })
    // And kept without any store it is no hit at all.
    for (const folder of ['cache/store', 'benchmark_output']) rmSync(join(cwd, folder), { recursive: true })
    const third = await report(cwd)
    expect({ code: third.code, ran: third.ran.length, board: existsSync(board(cwd)) }).toEqual({
      code: 0,
      ran: TASKS,
      board: true,
    })
  })
})
