import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore } from '../../../cache/open-store.ts'
import { canary, filesWithCanaries, foundIn } from '../../rig/canary.ts'
import { medmake } from '../../rig/medmake.ts'
import { planStudy } from '../rating-desk/plan-study.ts'
import { ratedWorkspace } from '../rating-desk/rated-workspace.ts'
import { rateDesk, serveDesk } from '../rating-desk/served-desk.ts'

describe('ratings of a private benchmark', () => {
  it('leave no planted identifier in plan, ratings, export, log or site, and no file leaves without leave', async () => {
    const cwd = await ratedWorkspace({
      notes: 12,
      access: 'private',
      note: (at) => `of ${canary(at)}`,
      answer: (model, at) => `${model.slice(-1)} says of note ${at} ${canary(100 + at)}`,
    })
    await planStudy(cwd, { raters: 'ann,bob', labels: 8 })
    await rateDesk(await serveDesk(cwd), (rater, _shown, at) => {
      const score = 1 + ((at + rater.length * Number(at > 4)) % 5)
      const safety = at === 2
      return {
        scores: { accuracy: score, clarity: score },
        safety,
        comment: safety ? `remark ${canary(200)}` : '',
      }
    })
    const packed = await medmake(['rate', 'pack', '--rater', 'ann'], { cwd })
    expect([packed.code, packed.stderr.includes('ratings/data-agreement')]).toEqual([5, true])
    const printed = []
    for (const args of [
      ['rate', 'status'],
      ['rate', 'log'],
      ['rate', 'disagreements'],
      ['rate', 'report'],
      ['rate', 'export', '--csv', '--out', 'export.csv'],
      ['rate', 'export', '--out', 'export.jsonl'],
      ['rate', 'import', 'export.jsonl', '--study', 'copy', '--suite', 'main'],
      ['jury', 'calibrate', '--suite', 'main'],
      ['agreement', 'main'],
      ['report'],
    ]) {
      const { code, stdout, stderr } = await medmake(args, { cwd })
      expect(code, stderr).toBe(0)
      printed.push(stdout, stderr)
    }
    expect(foundIn(printed.join('\n'))).toEqual([])
    // Ids of restricted instances are the hospital's own: exports name them by digest.
    const files = ['export.csv', 'export.jsonl'].map((name) => readFileSync(join(cwd, name), 'utf8'))
    expect([...printed, ...files].join('\n')).not.toMatch(/\bid\d+\b/)
    const held = filesWithCanaries(cwd).filter(
      (file) => !/^(?:benchmarks\/|benchmark_output\/runs\/)/.test(file),
    )
    expect(held).toEqual([])
    // Restricted ratings go into no release, with whatever flags.
    const release = await medmake(
      ['release', 'create', 'r1', '--suites', 'main', '--ratings', '--include-text', 'summaries'],
      { cwd },
    )
    expect(release.code, release.stderr).toBe(0)
    expect(existsSync(join(cwd, 'benchmark_output/releases/r1/bundle/ratings'))).toBe(false)
    const store = await openStore({
      path: join(cwd, 'cache/store'),
      readOnly: true,
      onEvent: () => undefined,
    })
    const notes = [...store.entries('files')].filter(({ id }) => id.startsWith('answers:'))
    await store.close()
    expect(notes, 'plain digests of answers lie in the vault').toEqual([])
    // The digests are keyed: nobody can compute them from a guessed text.
    const study = readFileSync(join(cwd, 'ratings/main/study.json'), 'utf8')
    expect(study).not.toContain('id0')
  })
  it('count on where its access is another one, and no plan asks for them again', async () => {
    const cwd = await ratedWorkspace({ notes: 6 })
    await planStudy(cwd, { raters: 'ann,bob', labels: 4 })
    await rateDesk(await serveDesk(cwd), () => ({ scores: { accuracy: 3, clarity: 3 } }))
    const file = join(cwd, 'benchmarks/summaries/benchmark.yaml')
    const declared = readFileSync(file, 'utf8')
    // What came in between is named as its access wanted then.
    for (const [access, labels, added] of [
      ['private', 5, 2],
      ['public', 6, 2],
    ]) {
      writeFileSync(file, declared.replace('access: public', `access: ${access}`))
      expect(await medmake(['run'], { cwd })).toMatchObject({ code: 0 })
      const exported = await medmake(['rate', 'export'], { cwd })
      expect(exported.code, exported.stderr).toBe(0)
      const rows = exported.stdout.trim().split('\n')
      // Of an answer that no run holds there is no model.
      expect(rows.filter((row) => row.includes('"model":"fake/'))).toHaveLength(rows.length)
      const wish = ['--raters', 'ann,bob', '--labels', String(labels), '--overlap', '1']
      const { stdout } = await medmake(['rate', 'plan', 'main', ...wish], { cwd })
      expect(stdout).toContain(`${added} of them new`)
      await rateDesk(await serveDesk(cwd), () => ({ scores: { accuracy: 3, clarity: 3 } }))
    }
    // What a version that knew no former names had planned anew stays, too.
    const [own, other] = [join(cwd, 'ratings'), join(cwd, 'elsewhere')]
    writeFileSync(file, declared.replace('access: public', 'access: private'))
    expect(await medmake(['run'], { cwd })).toMatchObject({ code: 0 })
    renameSync(own, other)
    await planStudy(cwd, { raters: 'ann', labels: 3 })
    cpSync(join(other, 'main'), join(own, 'before'), { recursive: true })
    const { stdout } = await medmake(['rate', 'plan', 'main', '--raters', 'ann', '--labels', '3'], { cwd })
    expect(stdout).toContain(', 0 of them new')
  })
})
