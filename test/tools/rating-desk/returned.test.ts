import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { openPack, type PackedDesk } from './packed-desk.ts'
import { ratedWorkspace } from './rated-workspace.ts'
import { eventsOf } from './served-desk.ts'

const SCORES = { accuracy: 3, clarity: 4 }

let cwd = ''
let pack: PackedDesk

const take = async (text: string): Promise<readonly [number, string]> => {
  writeFileSync(join(cwd, 'given.json'), text)
  const { code, stdout, stderr } = await medmake(['rate', 'import', 'given.json'], { cwd })
  return [code, stdout + stderr]
}

beforeAll(async () => {
  cwd = await ratedWorkspace({ notes: 12, models: ['fake/a'] })
  const plan = await medmake(
    ['rate', 'plan', 'main', '--raters', 'ann', '--labels', '6', '--practice', '1'],
    { cwd },
  )
  expect(plan.code, plan.stderr).toBe(0)
  const packed = await medmake(['rate', 'pack', '--rater', 'ann'], { cwd })
  expect(packed.stdout).toContain('6 answers and 1 to practise on for ann')
  pack = openPack(join(cwd, 'main-ann.html'), packed.stdout)
})

describe('what comes back from a sealed file', () => {
  it('is refused whole where it holds what no desk gives, and nothing of it is taken in', async () => {
    const good = { item: 2, scores: SCORES }
    for (const [bad, code] of [
      [{ item: 3, scores: { accuracy: 6, clarity: 4 } }, 'ratings/bad-return'],
      [{ item: 3, scores: { accuracy: 3 } }, 'ratings/bad-return'],
      [{ item: 3, scores: { ...SCORES, kindness: 5 } }, 'ratings/bad-return'],
      [{ item: 3, scores: SCORES, reason: 'other' as const }, 'ratings/bad-return'],
      [{ item: 3, scores: {}, reason: null }, 'ratings/bad-return'],
      [{ item: 8, scores: SCORES }, 'ratings/not-of-plan'],
      [{ item: 0, scores: SCORES }, 'ratings/damaged-return'],
      [{ item: 3, scores: { accuracy: 3.5, clarity: 4 } }, 'ratings/damaged-return'],
      [{ item: 3, scores: SCORES, comment: 'x'.repeat(5000) }, 'ratings/damaged-return'],
      [{ item: 3, scores: SCORES, active_ms: -1 }, 'ratings/damaged-return'],
    ] as const) {
      const [exit, said] = await take(await pack.returned([good, bad]))
      expect([exit, said.includes(code)], JSON.stringify(bad).slice(0, 80)).toEqual([2, true])
    }
    expect(() => eventsOf('ann', cwd)).toThrow('ENOENT')
  })

  it('is refused where it is another file, another pack’s, cut, edited, empty or far too large', async () => {
    const whole = await pack.returned([{ item: 2, scores: SCORES }])
    const own = JSON.parse(whole) as Record<string, string>
    for (const [text, code] of [
      ['', 'ratings/not-returned'],
      ['[]', 'ratings/not-returned'],
      [whole.slice(0, -20), 'ratings/not-returned'],
      [JSON.stringify({ ...own, more: 1 }), 'ratings/not-returned'],
      [JSON.stringify({ ...own, rater: 'bob' }), 'ratings/unknown-pack'],
      [JSON.stringify({ ...own, pack: '0'.repeat(16) }), 'ratings/unknown-pack'],
      [JSON.stringify({ ...own, sealed: own['sealed']?.slice(4) }), 'ratings/damaged-return'],
      [JSON.stringify({ ...own, sealed: 'no base64 ✗' }), 'ratings/damaged-return'],
    ] as const) {
      const [exit, said] = await take(text)
      expect([exit, said.includes(code)], text.slice(0, 60)).toEqual([2, true])
    }
    truncateSync(join(cwd, 'given.json'), 200 * 1024 * 1024)
    const huge = await medmake(['rate', 'import', 'given.json'], { cwd })
    expect([huge.code, huge.stderr.includes('ratings/not-returned')]).toEqual([2, true])
    const missing = await medmake(['rate', 'import', 'nowhere.json'], { cwd })
    expect([missing.code, missing.stderr.includes('missing-file')]).toEqual([2, true])
  })

  it('is taken in once, however often and in however many copies, practice in no count, and no later word is lost', async () => {
    const at = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00Z`
    const rating = { reason: null, safety: false, comment: '', active_ms: 1, opened: [] as const }
    const event = (id: number, hour: number, item: number, score: number) => ({
      id: `00000000-0000-4000-8000-00000000000${id}`,
      at: at(hour),
      rating: { ...rating, item, scores: { accuracy: score, clarity: score } },
    })
    const first = [event(1, 9, 1, 1), event(2, 10, 2, 2)]
    expect((await take(await pack.returned([...first, ...first])))[0]).toBe(0)
    const [, again] = await take(await pack.returned([...first, event(3, 11, 2, 5)]))
    expect(again).toContain('1 entry of ann added to main; 2 were here already')
    expect(eventsOf('ann', cwd).map(({ practice, order }) => [practice, order])).toEqual([
      [true, 1],
      [undefined, 1],
      [undefined, 1],
    ])
    // A pack that was made before, and came back after.
    const { stdout } = await medmake(['rate', 'export'], { cwd })
    const rows = stdout.split('\n').map((line) => JSON.parse(line) as { readonly scores: object })
    expect(rows.map(({ scores }) => scores)).toEqual([{ accuracy: 5, clarity: 5 }])
  })

  it('is reported to the coordinator, and to its rater once it is handed in', async () => {
    const own = ['rate', 'report', '--rater', 'ann', '--json']
    const early = await medmake(own, { cwd })
    expect([early.code, early.stderr.includes('ratings/still-rating')]).toEqual([2, true])
    const unknown = await medmake(['rate', 'report', '--rater', 'zed'], { cwd })
    expect([unknown.code, unknown.stderr.includes('ratings/no-rater')]).toEqual([2, true])
    const handedIn = { id: '00000000-0000-4000-8000-000000000009', at: '2026-03-02T09:00:00Z' }
    await take(await pack.returned([{ ...handedIn, recognised: 'some' }]))
    const all = await medmake(['rate', 'report', '--json'], { cwd })
    expect(all.code, all.stderr).toBe(0)
    const raters = all.stdout.trim().split('\n').at(-1) ?? ''
    expect((await medmake(own, { cwd })).stdout.trim()).toBe(raters)
    expect(JSON.parse(raters)).toMatchObject({
      raters: [{ rater: 'ann', rated: 1, level: 5, opened: 0, practice: { rated: 1 } }],
      recognised: { ann: 'some' },
      namesItself: { answers: 0, of: 1 },
      splits: [],
    })
  })

  it('a file that is cut opens with no secret, and its own page says so', () => {
    const html = readFileSync(join(cwd, 'main-ann.html'), 'utf8')
    expect(html).not.toContain(pack.secret)
    expect(html).not.toContain(pack.secret.replaceAll('-', ''))
    expect(html).not.toContain('says of note')
  })
})
