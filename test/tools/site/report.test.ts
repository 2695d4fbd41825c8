import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Board } from '../../../targets/board/board.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const SUITE = `entries: [
  {description: "demo_multiple_choice:model=baseline/first-choice", priority: 1}
  {description: "demo_multiple_choice:model=baseline/lexical-overlap", priority: 1}
]
`

interface Report {
  readonly site: string | null
  readonly written: boolean
  readonly missing: readonly { readonly suite: string; readonly run: string }[]
  readonly boards: readonly Board[]
}

/** Every file's change time. */
const times = (folder: string): ReadonlyMap<string, bigint> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, statSync(path, { bigint: true }).mtimeNs]),
  )

describe('report', () => {
  let cwd = ''
  beforeAll(() => {
    cwd = createWorkspace({ 'targets/small.conf': SUITE })
  })

  test('says what is not run yet, writes no site and ends with 1', async () => {
    const { code, stdout, stderr } = await medmake(['report'], { cwd })
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain('2 runs are not finished')
    expect(stderr).toContain('small: demo_multiple_choice:model=baseline_first-choice')
    expect(stderr).toContain('medmake run small')
    expect(existsSync(join(cwd, 'benchmark_output'))).toBe(false)
  })

  test('prints the ranked table and writes site and HELM’s tables', async () => {
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    const { code, stdout } = await medmake(['report'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toMatch(/1 +Lexical overlap +1\.000 \(0\.000–1\.000\) +0\.292 \(0\.\d+–0\.\d+\) +1–2 /)
    expect(stdout).toMatch(/0\.292 \(0\.\d+–0\.\d+\)/)
    expect(stdout).toContain(`wrote: ${join('benchmark_output', 'site', 'index.html')}`)
    const index = readFileSync(join(cwd, 'benchmark_output/site/index.html'), 'utf8')
    expect(index).toContain('Lexical overlap')
    expect(existsSync(join(cwd, 'benchmark_output/runs/small/groups.json'))).toBe(true)
  })

  test('writes nothing when nothing changed', async () => {
    const before = times(join(cwd, 'benchmark_output'))
    const { code, stdout } = await medmake(['report', 'small'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('unchanged:')
    expect(times(join(cwd, 'benchmark_output'))).toEqual(before)
  })

  test('brings back run files and pages that were deleted', async () => {
    const run = 'benchmark_output/runs/small/demo_multiple_choice:model=baseline_first-choice/stats.json'
    const page =
      readdirSync(join(cwd, 'benchmark_output/site/runs')).find((name) => name.endsWith('.html')) ?? ''
    rmSync(join(cwd, run))
    rmSync(join(cwd, 'benchmark_output/site/runs', page))
    expect((await medmake(['report'], { cwd })).stdout).toContain('wrote:')
    expect(existsSync(join(cwd, run))).toBe(true)
    expect(existsSync(join(cwd, 'benchmark_output/site/runs', page))).toBe(true)
    // HELM's tables, too, beside a site and runs that stand.
    const tables = join(cwd, 'benchmark_output/runs/small/groups.json')
    rmSync(tables)
    expect((await medmake(['report'], { cwd })).stdout).toContain('unchanged:')
    expect(existsSync(tables)).toBe(true)
  })

  test('gives one JSON object, and a site where it is told to', async () => {
    const { code, stdout } = await medmake(['report', '--json', '--site', 'public'], { cwd })
    const report = JSON.parse(stdout) as Report
    expect(code).toBe(0)
    expect(report).toMatchObject({ site: join('public', 'index.html'), written: true, missing: [] })
    expect(report.boards[0]?.rows.map(({ label, winRate }) => [label, winRate])).toEqual([
      ['Lexical overlap', 1],
      ['First choice', 0],
    ])
    expect(existsSync(join(cwd, 'public/index.html'))).toBe(true)
  })
})

describe('serve', () => {
  test('shows the report until Ctrl-C, then ends with 0', async () => {
    const cwd = createWorkspace({ 'targets/small.conf': SUITE })
    await medmake(['run'], { cwd })
    await medmake(['report'], { cwd })
    const server = startMedmake(['serve', '--port', '0'], { cwd })
    const url = await new Promise<string>((resolve) => {
      server.stdout.on('data', (chunk: Buffer) => {
        const found = /http:\S+/.exec(String(chunk))
        if (found !== null) resolve(found[0])
      })
    })
    expect(await (await fetch(url)).text()).toContain('Lexical overlap')
    const stats = await fetch(
      new URL(
        `benchmark_output/runs/small/${encodeURIComponent('demo_multiple_choice:model=baseline_first-choice')}/stats.json`,
        url,
      ),
    )
    expect(stats.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(Array.isArray(await stats.json())).toBe(true)
    server.kill('SIGINT')
    expect((await server).exitCode).toBe(0)
  })

  test('takes up a newer report, and says so', async () => {
    const cwd = createWorkspace({ 'targets/small.conf': SUITE })
    await medmake(['run'], { cwd })
    await medmake(['report'], { cwd })
    const server = startMedmake(['serve', '--port', '0'], { cwd })
    const printed = (text: RegExp): Promise<string> =>
      new Promise((resolve) => {
        server.stdout.on('data', (chunk: Buffer) => {
          const found = text.exec(String(chunk))
          if (found !== null) resolve(found[0])
        })
      })
    const newer = printed(/newer results/)
    const url = await printed(/http:\S+/)
    writeFileSync(join(cwd, 'targets/small.conf'), SUITE.replace('first-choice', 'lead'))
    await medmake(['run'], { cwd })
    expect((await medmake(['report'], { cwd })).code).toBe(0)
    await newer
    expect(await (await fetch(url)).text()).toContain('Lead')
    server.kill('SIGINT')
    expect((await server).exitCode).toBe(0)
  })

  test('shows HELM’s files where nothing was reported, and exports them', async () => {
    const cwd = createWorkspace({ 'targets/small.conf': SUITE })
    await medmake(['run'], { cwd })
    await medmake(['summarize', '--suite', 'small'], { cwd })
    const { code, stderr } = await medmake(
      ['--suite', 'small', '--output-path', './benchmark_output', '--export-path', 'static'],
      { cwd },
      'helm-server',
    )
    expect([code, stderr]).toEqual([0, ''])
    expect(readFileSync(join(cwd, 'static/index.html'), 'utf8')).toContain('0.292')
    expect(existsSync(join(cwd, 'static/benchmark_output/runs/small/groups.json'))).toBe(true)
    const again = await medmake(['serve', '--suite', 'small', '--export-path', 'static'], { cwd })
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('cli/not-empty') as string })
  })

  test('writes the instances of HELM’s runs when a reader asks for them', async () => {
    const cwd = createWorkspace({ 'targets/small.conf': SUITE })
    await medmake(['run'], { cwd })
    const server = startMedmake(['serve', '--suite', 'small', '--port', '0'], { cwd })
    const url = await new Promise<string>((resolve) => {
      server.stdout.on('data', (chunk: Buffer) => {
        const found = /http:\S+/.exec(String(chunk))
        if (found !== null) resolve(found[0])
      })
    })
    const manifest = (await (await fetch(new URL('manifest.json', url))).json()) as {
      readonly runs: Readonly<Record<string, { readonly files: Readonly<Record<string, number>> }>>
    }
    const [run] = Object.values(manifest.runs)
    const [page = ''] = Object.keys(run?.files ?? {})
    expect(Object.keys(run?.files ?? {})).toHaveLength(1)
    const asked = await Promise.all([0, 0].map(() => fetch(new URL(page.replace('.html', '/p0.js'), url))))
    expect(await Promise.all(asked.map(async (answer) => (await answer.text()).includes('mc_01')))).toEqual([
      true,
      true,
    ])
    expect((await fetch(new URL(page.replace('.html', '/p99.js'), url))).status).toBe(404)
    server.kill('SIGINT')
    expect((await server).exitCode).toBe(0)
  })

  test('names what it can’t do', async () => {
    const cwd = createWorkspace()
    for (const [args, code] of [
      [['serve'], 'site/nothing-to-serve'],
      [['serve', '--site', 'nowhere'], 'site/nothing-to-serve'],
      [['serve', '--suite', 'a', '--release', 'b'], 'cli/bad-flag'],
      [['serve', '--suite', 'a'], 'tools/no-such-suite'],
      [['serve', '-o', 'https://example.org/out'], 'cli/unsupported-flag'],
    ] as const) {
      const result = await medmake(args, { cwd })
      expect([args, result.code, result.stderr]).toEqual([args, 2, expect.stringContaining(code)])
    }
  })
})
