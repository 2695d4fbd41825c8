import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { StudyStatus } from '../../../targets/ratings/status.ts'
import { medmake } from '../../rig/medmake.ts'
import { planStudy } from './plan-study.ts'
import { ratedWorkspace } from './rated-workspace.ts'
import { handIn, rateDesk, serveDesk } from './served-desk.ts'

const CONSENSUS = '(consensus)'

interface Listed {
  readonly number: number
  readonly ratings: readonly { readonly rater: string; readonly composite: number }[]
  readonly consensus: { readonly composite: number } | null
}

let cwd = ''

const said = async (...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await medmake(args, { cwd })
  expect(code, stderr).toBe(0)
  return stdout
}

const refused = async (...args: readonly string[]): Promise<readonly [number | null, string]> => {
  const { code, stderr } = await medmake(args, { cwd })
  return [code, stderr]
}

const listed = async (): Promise<readonly Listed[]> =>
  JSON.parse(await said('rate', 'disagreements', '--json')) as readonly Listed[]

/** All that says a figure of clinicians, or hands ratings on. */
const figures = async (): Promise<readonly string[]> => [
  await said('rate', 'report', '--json'),
  await said('rate', 'export'),
]

beforeAll(async () => {
  cwd = await ratedWorkspace({ notes: 8, models: ['fake/a'] })
  await planStudy(cwd, { raters: 'ann,bob', labels: 4 })
})

describe('two raters', () => {
  it('open each their desk once, beside one another', async () => {
    const first = await serveDesk(cwd, '--rater', 'ann')
    const [code, stderr] = await refused('rate', 'serve', '--rater', 'ann', '--port', '0')
    expect([code, stderr]).toEqual([2, expect.stringContaining('ratings/desk-open')])
    const beside = await serveDesk(cwd, '--rater', 'bob')
    const rated = await Promise.all(
      [first, beside].map((desk) =>
        rateDesk(desk, (rater, _shown, item) => {
          const score = rater === 'ann' ? 5 : item > 2 ? 1 : 4
          return { scores: { accuracy: score, clarity: score } }
        }),
      ),
    )
    expect(rated.flat()).toEqual(Array(8).fill(undefined))
    const { raters } = JSON.parse(await said('rate', 'status', '--json')) as StudyStatus
    expect(raters.map(({ left }) => left)).toEqual([0, 0])
  })
})

describe('what raters agree on', () => {
  it('is asked for in the desk once all have handed in, of what is listed, beside the first scores and in no figure', async () => {
    const [code, early] = await refused('rate', 'serve', '--consensus', '--port', '0')
    expect([code, early]).toEqual([2, expect.stringContaining('ratings/still-rating')])
    await handIn(await serveDesk(cwd))
    const [first, before] = [await listed(), await figures()]
    expect(first.length).toBeGreaterThan(1)
    expect(first.every(({ consensus }) => consensus === null)).toBe(true)
    const shown: string[] = []
    const agree = async (most: number, score: number): Promise<void> => {
      const desk = await serveDesk(cwd, '--consensus')
      expect([...desk.links.keys()]).toEqual([CONSENSUS])
      await rateDesk(desk, (_rater, item, at) => {
        shown.push(JSON.stringify(item))
        const comment = at === 1 ? 'agreed on the ward' : ''
        return at > most ? undefined : { scores: { accuracy: score, clarity: score }, comment }
      })
    }
    await agree(1, 3)
    // It goes on where it was left.
    await agree(first.length, 2)
    expect(shown).toHaveLength(2 * first.length - 1)
    expect(shown.join()).not.toMatch(/fake\/|jury|ann|bob/)
    await handIn(await serveDesk(cwd, '--consensus'))
    const told = await listed()
    expect(told.map(({ consensus }) => consensus?.composite)).toEqual([3, ...first.slice(1).map(() => 2)])
    expect(told.map(({ ratings }) => ratings)).toEqual(first.map(({ ratings }) => ratings))
    expect(await said('rate', 'disagreements')).toMatch(/ann 5\.0, bob \d\.0 .*3\.0\n/)
    expect(await said('rate', 'log')).toContain(`${CONSENSUS} rated item ${first[0]?.number} summaries`)
    expect(await figures()).toEqual(before)
  })

  it('is handed on apart, read back as no rater’s, and withdrawn alone', async () => {
    await said('rate', 'export', '--consensus', '--csv', '--out', 'agreed.csv')
    const [head = '', ...rows] = readFileSync(join(cwd, 'agreed.csv'), 'utf8').trimEnd().split('\n')
    const all = (await listed()).length
    expect(rows.filter((row) => row.startsWith(`${CONSENSUS},`))).toHaveLength(all)
    expect([head, ...rows].join()).not.toContain('on the ward')
    const { stdout: own, stderr } = await medmake(['rate', 'export', '--csv'], { cwd })
    expect(stderr).toContain('The consensus is not in it')
    for (const verb of [['rate', 'import', '--study', 'copy'], ['agreement'], ['jury', 'calibrate']]) {
      const [code, stderr] = await refused(
        ...verb,
        'agreed.csv',
        ...(verb[1] === 'import' ? [] : ['--suite', 'main']),
      )
      expect([code, stderr], verb.join(' ')).toEqual([
        2,
        expect.stringContaining(`${all} rows are a consensus`),
      ])
    }
    expect(await said('rate', 'export', '--csv', '--study', 'main')).toBe(own)
    expect((await refused('rate', 'plan', 'main', '--raters', CONSENSUS))[1]).toContain('cli/bad-flag')
    expect((await refused('rate', 'withdraw', '--consensus', '--rater', 'ann'))[1]).toContain('cli/bad-flag')
    const [{ number } = { number: 0 }] = await listed()
    await said('rate', 'withdraw', '--consensus', '--item', String(number))
    expect((await listed()).map(({ consensus }) => consensus === null)).toEqual([
      true,
      ...Array(all - 1).fill(false),
    ])
    await said('rate', 'withdraw', '--consensus')
    expect((await listed()).every(({ consensus }) => consensus === null)).toBe(true)
    expect(await said('rate', 'export', '--csv', '--study', 'main')).toBe(own)
  })
})
