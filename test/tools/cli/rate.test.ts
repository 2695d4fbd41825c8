import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../cache/open-store.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import type { Agreement } from '../../../targets/jury/study/agreement.ts'
import type { Calibration } from '../../../targets/jury/study/calibrate.ts'
import type { StudyStatus } from '../../../targets/ratings/status.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { juryScore, ratedWorkspace } from '../rating-desk/rated-workspace.ts'
import { rateDesk, serveDesk } from '../rating-desk/served-desk.ts'

const NOTES = 40

/** A clinician's score of an answer: the jury's less one, two of them now and then apart. */
const scoreOf = (rater: string, question: string, answer: string): number => {
  const note = Number(/#(\d+)#/.exec(question)?.[1] ?? /note (\d+)/.exec(answer)?.[1])
  const model = answer.startsWith('a') ? 'fake/a' : 'fake/b'
  return Math.max(1, juryScore(model, note) - 1 - (rater === 'bob' && note % 5 === 0 ? 1 : 0))
}

/** Rates everything that is open as a page does, over HTTP. */
const rateAll = async (cwd: string, comment = ''): Promise<void> => {
  const problems = await rateDesk(await serveDesk(cwd), (rater, { question, answer }, item) => {
    const score = scoreOf(rater, question, answer)
    const safety = comment !== '' && item === 2
    return { scores: { accuracy: score, clarity: score }, safety, comment: safety ? comment : '' }
  })
  expect(problems.filter((problem) => problem !== undefined)).toEqual([])
}

/** Files below a folder that hold any of these texts. */
const filesHolding = (folder: string, texts: readonly string[]): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => texts.some((text) => readFileSync(file).includes(text)))

const json = async <T>(args: readonly string[], cwd: string): Promise<T> => {
  const { code, stdout, stderr } = await medmake([...args, '--json'], { cwd })
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as T
}

const planIn = async (
  cwd: string,
  raters: string,
  labels: string,
  ...beside: readonly string[]
): Promise<string> => {
  const args = ['rate', 'plan', 'main', ...beside, '--practice', '0', '--raters', raters, '--labels', labels]
  const { code, stdout, stderr } = await medmake(args, { cwd })
  expect(code, stderr).toBe(0)
  return stdout
}

let root = ''
/** In the study that has a plan. */
let bobsDrift: object | undefined

/** The last rater's. */
const driftOf = (report?: object): object | undefined =>
  (report as { readonly raters: readonly { readonly drift: object }[] }).raters.at(-1)?.drift

beforeAll(async () => {
  root = await ratedWorkspace({ notes: NOTES })
  expect(await planIn(root, 'ann,bob', '16')).toContain('Accuracy: Is everything in it true?')
  await rateAll(root, 'the dose')
})

describe('medmake rate', () => {
  it('leads from a plan to calibrated scores on the board, by the plan’s own estimator', async () => {
    const status = await json<StudyStatus>(['rate', 'status'], root)
    expect(status.raters.map(({ left, safety }) => [left, safety])).toEqual([
      [0, 1],
      [0, 1],
    ])
    expect(status.benchmarks[0]?.shared).toBeGreaterThanOrEqual(30)
    const { calibrations } = await json<{ readonly calibrations: readonly Calibration[] }>(
      ['jury', 'calibrate', '--suite', 'main', '--half-width', '0.2'],
      root,
    )
    for (const { sample, labels, value, raw, onThese, interval } of calibrations[0]?.models ?? []) {
      expect([sample, labels]).toEqual(['planned', 16])
      // Clinicians are a point and a bit below the jury, all over.
      expect((raw ?? 0) - (value ?? 0)).toBeGreaterThan(0.8)
      expect((raw ?? 0) - (value ?? 0)).toBeLessThan(1.3)
      expect(onThese?.low).toBeGreaterThan(interval?.low ?? NaN)
    }
    const { agreement } = await json<{ readonly agreement: readonly Agreement[] }>(
      ['agreement', 'main'],
      root,
    )
    expect(agreement[0]).toMatchObject({ name: 'summaries', raters: 2, answers: 32 })
    expect((await medmake(['report'], { cwd: root })).stdout).toMatch(/cal\. \d\.\d+ \(\d/)
    const runs = join(root, 'benchmark_output/site/runs')
    const page = readdirSync(runs).find((name) => /fake_a.*\.html$/.test(name))
    expect(readFileSync(join(runs, page ?? ''), 'utf8')).toContain('Calibrated by clinicians')
    const release = await medmake(['release', 'create', 'r1', '--suites', 'main'], { cwd: root })
    expect(release.code, release.stderr).toBe(0)
    const card = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((file) =>
      /records\/main\/.*fake_a\.json$/.test(file),
    )
    expect(JSON.parse(readFileSync(join(root, card ?? ''), 'utf8'))).toMatchObject({
      record: { calibrated: { labels: 16 } },
    })
    const bundle = join(root, 'benchmark_output/releases/r1/bundle')
    expect(existsSync(join(bundle, 'ratings'))).toBe(false)
    expect(filesHolding(bundle, ['the dose', '"ann"'])).toEqual([])
  })

  it('reports what came of a study: how far it is, agreement, and calibrated scores', async () => {
    const { code, stdout, stderr } = await medmake(['rate', 'report', '--json'], { cwd: root })
    expect(code, stderr).toBe(0)
    const [status, agreement, calibrated, raters, ...rest] = stdout.trim().split('\n')
    expect(rest).toEqual([])
    expect(JSON.parse(raters ?? '')).toMatchObject({ raters: [{ rater: 'ann' }, { rater: 'bob' }] })
    bobsDrift = driftOf(JSON.parse(raters ?? '') as object)
    expect(bobsDrift).toMatchObject({ ratings: expect.any(Number) })
    expect(JSON.parse(status ?? '')).toMatchObject({ study: 'main', raters: [{ safety: 1 }, { safety: 1 }] })
    expect(JSON.parse(agreement ?? '')).toMatchObject({ scores: 'suite main' })
    const facts = { bias: { value: expect.any(Number) }, more: { labels: 20 } }
    const model = { raters: 2, facts }
    expect(JSON.parse(calibrated ?? '')).toMatchObject({ calibrations: [{ models: [model, model] }] })
  })

  it('releases ratings of public benchmarks where the flag asks, as scores and digests, and verifies them', async () => {
    // One of a third rater: with it the next fewest are withheld, or totals would tell it.
    writeFileSync(
      join(root, 'few.csv'),
      'rater,instance_id,benchmark,model,accuracy,clarity\nzoe,id0,summaries,fake/a,3,3\n',
    )
    const few = await medmake(['rate', 'import', 'few.csv', '--study', 'few', '--suite', 'main'], {
      cwd: root,
    })
    expect(few.code, few.stderr).toBe(0)
    const made = await medmake(['release', 'create', 'r2', '--suites', 'main', '--ratings'], { cwd: root })
    expect([made.code, made.stderr]).toEqual([0, expect.stringMatching(/\d\d ratings are withheld/)])
    const bundle = join(root, 'benchmark_output/releases/r2/bundle')
    const rows = readFileSync(join(bundle, 'ratings/ratings.jsonl'), 'utf8').trimEnd().split('\n')
    expect(new Set(rows.map((row) => (JSON.parse(row) as { rater: string }).rater))).toEqual(new Set(['r1']))
    expect(Object.keys(JSON.parse(rows[0] ?? '') as object)).toEqual([
      'rater',
      'benchmark',
      'model',
      'instance_id',
      'instance',
      'answer',
      'rubric',
      'scores',
      'composite',
      'jury',
      'safety',
    ])
    expect(filesHolding(bundle, ['the dose', '"ann"'])).toEqual([])
    const verified = await medmake(['release', 'verify', 'r2'], { cwd: root })
    expect(verified.code, verified.stdout + verified.stderr).toBe(0)
    writeFileSync(join(bundle, 'ratings/ratings.jsonl'), `${rows.slice(1).join('\n')}\n`)
    expect((await medmake(['release', 'verify', 'r2'], { cwd: root })).code).toBe(1)
  })

  it('exports without texts, and takes its own export and the paper’s form in, once', async () => {
    const out = join(root, 'out.csv')
    writeFileSync(join(root, 'real.csv'), '', { mode: 0o640 })
    symlinkSync('real.csv', out)
    const exporting = ['rate', 'export', '--study', 'main', '--csv', '--out', out]
    expect((await medmake(exporting, { cwd: root })).code).toBe(0)
    const text = readFileSync(out, 'utf8')
    // Into the user's own file, with its rights, not in the place of the link to it.
    expect([lstatSync(out).isSymbolicLink(), statSync(out).mode & 0o777]).toEqual([true, 0o640])
    expect(text).toMatch(
      /^rater,instance_id,benchmark,model,accuracy,clarity,jury_accuracy,jury_clarity,study/,
    )
    expect(text).not.toContain('says of note')
    expect(text).not.toContain('the dose')
    const take = () => medmake(['rate', 'import', out, '--study', 'copy', '--suite', 'main'], { cwd: root })
    const first = await take()
    expect(first.code, first.stderr).toBe(0)
    const again = await take()
    expect(again.stdout).toMatch(/: 0 entries of ann added to copy; \d+ were here already/)
    const own = await json<{ readonly agreement: readonly Agreement[] }>(
      ['agreement', 'main', '--study', 'main'],
      root,
    )
    const copy = await json<{ readonly agreement: readonly Agreement[] }>(
      ['agreement', 'main', '--study', 'copy'],
      root,
    )
    expect(copy.agreement).toEqual(own.agreement)
    const exported = async (...flags: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await medmake(['rate', 'export', '--csv', ...flags], { cwd: root })
      return stdout.trim().split('\n').slice(1)
    }
    const cells = (rows: readonly string[], from: number, to: number): readonly string[] =>
      rows.map((row) => row.split(',').slice(from, to).join()).toSorted()
    const planned = await exported('--study', 'main')
    const imported = await exported('--study', 'copy')
    expect(cells(imported, 2, 4)).toEqual(cells(planned, 2, 4))
    const whole = (await exported('--study', 'copy', '--suite', 'main')).join('\n')
    expect(whole.replaceAll(',copy,', ',main,').split('\n').toSorted()).toEqual(planned.toSorted())
    const [head = '', ...rows] = text.split('\n')
    writeFileSync(out, [head, ...rows.filter((row) => row.startsWith('bob,')), ''].join('\n'))
    expect(
      (await medmake(['rate', 'import', out, '--study', 'bobs', '--suite', 'main'], { cwd: root })).code,
    ).toBe(0)
    // Of all studies, and stays so.
    const board = await medmake(['report'], { cwd: root })
    const { stdout } = await medmake(['rate', 'report', '--study', 'bobs', '--suite', 'main', '--json'], {
      cwd: root,
    })
    const lines = stdout.split('\n').map((line) => JSON.parse(line) as object)
    expect(lines.map((line) => Object.keys(line)[0])).toEqual(['study', 'rule', 'suite', 'study'])
    // Of bob alone, though ann rated the same answers in another study, and by the strata of the plan that asked him.
    const model = { raters: 1, sample: 'planned' }
    expect(lines[2]).toMatchObject({ calibrations: [{ models: [model, model] }] })
    expect(driftOf(lines[3])).toEqual(bobsDrift)
    expect((await medmake(['report'], { cwd: root })).stdout).toBe(board.stdout)
    expect(board.stdout).toContain('cal. ')
  })

  it('refuses what is no whole score of the rubric, with row and column, and takes nothing of it', async () => {
    writeFileSync(
      join(root, 'bad.csv'),
      'rater,instance_id,benchmark,model,accuracy,clarity,jury_accuracy,jury_clarity\nzoe,id0,summaries,fake/a,3,3,2,2\nzoe,id1,summaries,fake/a,6,3,2,2\n',
    )
    const { code, stderr } = await medmake(['rate', 'import', 'bad.csv', '--study', 'bad'], { cwd: root })
    expect(code).toBe(2)
    expect(stderr).toContain('ratings/bad-score')
    expect(stderr).toMatch(/row 2.*accuracy/s)
    const twoNames = await medmake(['rate', 'import', 'bad.csv', '--map', 'rater=by,model=by'], { cwd: root })
    expect(twoNames.stderr).toContain('--map model=by names a column that is mapped already')
    expect(existsSync(join(root, 'ratings/bad/zoe.jsonl'))).toBe(false)
    const take = (study: string, ...rows: readonly string[]) => {
      writeFileSync(join(root, 'bad.csv'), `rater,instance_id,benchmark,model${rows.join('\n')}\n`)
      return medmake(['rate', 'import', 'bad.csv', '--study', study, '--suite', 'main'], { cwd: root })
    }
    const of = (model: string, scores: string): string => `zoe,id0,summaries,${model},${scores}`
    // The benchmark takes 0 of judges, as HELM does; the rubric that clinicians rate by begins at 1.
    const zero = await take('bad', ',accuracy,clarity', of('fake/a', '0,3'))
    expect([zero.code, zero.stderr]).toEqual([2, expect.stringContaining('no whole score from 1 to 5')])
    // One model by two names, as two models that give one text.
    const twice = await take('bad', ',accuracy,clarity', of('fake/a', '1,3'), of('fake_a', '5,3'))
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringMatching(/row 2.*targets\/repeated-rating/)])
    expect(existsSync(join(root, 'ratings/bad/zoe.jsonl'))).toBe(false)
    const part = await take('part', ',accuracy', of('fake/a', '1'))
    expect(part.stdout).toContain('no rating has clarity of summaries')
    for (const folder of ['ratings', 'cache/ratings']) rmSync(join(root, folder, 'part'), { recursive: true })
  })

  it('lists what to talk about, safety first, by numbers alone until all have handed in', async () => {
    const { stdout } = await medmake(['rate', 'disagreements', '--study', 'main'], { cwd: root })
    expect(stdout.split('\n')[1]).toMatch(/safety/)
    expect(stdout).not.toMatch(/says of note|fake\/|ann \d/)
    expect(stdout).toContain('once all have handed in: ann (0 left), bob (0 left)')
    const listed = await json<readonly object[]>(['rate', 'disagreements', '--study', 'main'], root)
    expect(new Set(listed.flatMap((each) => Object.keys(each)))).toEqual(
      new Set(['number', 'benchmark', 'why']),
    )
  })

  it('keeps ratings of answers that are gone as orphans, out of every figure, and tells of them', async () => {
    const files = {
      ...shortBenchmark({ name: 'plain' }, { data: 'note,correct_answer\nn,n\n' }),
      'targets/bare.conf': 'entries: [{description: "plain:model=fake/a"}]',
    }
    const cwd = await ratedWorkspace({ notes: 12, models: ['fake/a'], files })
    await planIn(cwd, 'ann', '6', 'bare')
    await rateAll(cwd)
    const report = await medmake(['rate', 'report', '--json'], { cwd })
    expect([report.code, report.stdout.split('\n').length]).toEqual([0, 4])
    expect(report.stderr).toContain('jury/no-jury')
    const data = readFileSync(join(cwd, 'benchmarks/summaries/data.csv'), 'utf8')
    writeFileSync(join(cwd, 'benchmarks/summaries/data.csv'), data.replaceAll('note ', 'memo '))
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    const { code, stderr } = await medmake(['jury', 'calibrate', '--suite', 'main'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(
      '6 ratings are kept, and left out here: 6 of answers that these runs do not hold (main: ann)',
    )
    expect(stderr).toContain('jury/no-rated-answer')
    expect((await json<StudyStatus>(['rate', 'status'], cwd)).raters[0]).toMatchObject({ rated: 6 })
  })

  it('says of rows that came since nothing until they are drawn among and rated', async () => {
    const suiteOf = (...models: readonly string[]) =>
      `entries: [${models.map((model) => `{description: "summaries:model=${model}"}`).join(', ')}]`
    const cwd = await ratedWorkspace({
      notes: 24,
      answer: (_, note) => `says of note ${note}.`,
      files: { 'targets/main.conf': suiteOf('fake/a') },
    })
    await planIn(cwd, 'ann', '12')
    await rateAll(cwd)
    const calibrated = async () => {
      const { code, stdout, stderr } = await medmake(['jury', 'calibrate', '--suite', 'main', '--json'], {
        cwd,
      })
      expect(code, stderr).toBe(0)
      const { calibrations } = JSON.parse(stdout) as { readonly calibrations: readonly Calibration[] }
      return { stderr, model: calibrations[0]?.models[0] }
    }
    const before = await calibrated()
    expect(before.model).not.toHaveProperty('uncovered')
    const data = join(cwd, 'benchmarks/summaries/data.csv')
    const later = Array.from({ length: 9 }, (_, at) => `${24 + at},"note ${24 + at}","reference"\n`).join('')
    writeFileSync(data, readFileSync(data, 'utf8') + later)
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    const grown = await calibrated()
    expect(grown.stderr).toContain('since study main drew: 9 of summaries by fake/a')
    expect(grown.model).toEqual({ ...before.model, uncovered: 9 })
    expect((await medmake(['report'], { cwd })).stdout).toContain('without 9 answers')
    const more = await planIn(cwd, 'ann', '16')
    expect(more).toMatch(/4\/8 4\/8 4\/8 \+ 4\/9/)
    // Drawn, and not rated yet.
    const drawn = await calibrated()
    expect([drawn.stderr, drawn.model]).toEqual(['', grown.model])
    await rateAll(cwd)
    expect((await calibrated()).model).toMatchObject({ sample: 'planned', labels: 16, unlabelled: 17 })
    // Another model's answers in the same words: nobody drew among them.
    writeFileSync(join(cwd, 'targets/main.conf'), suiteOf('fake/a', 'fake/b'))
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    expect((await calibrated()).stderr).toContain(
      'Left out, as a plan drew these answers of other models, which gave the same texts: 16 labels of summaries by fake/b.',
    )
  })

  it('deletes the scores of what is withdrawn, keeps that it was given, and notices what was changed by hand', async () => {
    const cwd = await ratedWorkspace({ notes: 12, models: ['fake/a'] })
    await planIn(cwd, 'ann', '6')
    await rateAll(cwd, 'secret remark')
    const log = join(cwd, 'ratings/main/ann.jsonl')
    const before = readFileSync(log, 'utf8').split('\n')
    const gone = await medmake(['rate', 'withdraw', '--rater', 'ann', '--item', '2'], { cwd })
    expect(gone.code, gone.stderr).toBe(0)
    const after = readFileSync(log, 'utf8').split('\n')
    expect(after).toHaveLength(before.length + 1)
    expect(JSON.parse(after[1] ?? '')).toMatchObject({ kind: 'rated', content: null })
    expect((await json<StudyStatus>(['rate', 'status'], cwd)).raters[0]).toMatchObject({
      rated: 5,
      left: 1,
      withdrawn: 1,
      safety: 0,
    })
    expect((await medmake(['rate', 'export', '--with-comments'], { cwd })).stdout).not.toContain(
      'secret remark',
    )
    // A writer that was killed leaves half a line: it is no rating, and no damage.
    const whole = readFileSync(log)
    truncateSync(log, whole.length - 20)
    expect((await medmake(['rate', 'status'], { cwd })).code).toBe(0)
    writeFileSync(log, String(whole).replace('"accuracy":', '"accuracy": '))
    expect((await medmake(['rate', 'status'], { cwd })).code).toBe(0)
    writeFileSync(
      log,
      String(whole)
        .replace(/"accuracy":\d/, '"accuracy":5')
        .replace(/"accuracy":5/, '"accuracy":1'),
    )
    const changed = await medmake(['rate', 'status'], { cwd })
    expect([changed.code, changed.stderr.includes('ratings/damaged-log')]).toEqual([2, true])
  })

  it('extends a plan without losing what was rated', async () => {
    const file = join(root, 'ratings/main/study.json')
    const before = JSON.parse(readFileSync(file, 'utf8')) as Study
    const plan = ['rate', 'plan', '--study', 'main', '--raters', 'cyd', '--labels', '20']
    const store = await openStore({ path: join(root, 'cache/store'), onEvent: () => undefined })
    const claim = await store.claim(digestJson(['plan of', 'main']))
    const beside = await medmake(plan, { cwd: root })
    expect([beside.code, beside.stderr.includes('ratings/plan-in-use')]).toEqual([2, true])
    await claim?.release()
    await store.close()
    // Some disks make one file of both.
    const alike = await medmake(['rate', 'plan', '--study', 'main', '--raters', 'Ann'], { cwd: root })
    expect([alike.code, alike.stderr]).toEqual([2, expect.stringContaining('"Ann" is like ann but')])
    const { code, stderr } = await medmake(plan, { cwd: root })
    expect(code, stderr).toBe(0)
    const after = JSON.parse(readFileSync(file, 'utf8')) as Study
    expect(after.units.length).toBe(before.units.length + 8)
    for (const [index, { name, units }] of before.raters.entries()) {
      expect(after.raters[index]?.name).toBe(name)
      expect(after.raters[index]?.units.slice(0, units.length)).toEqual(units)
    }
    const status = await json<StudyStatus>(['rate', 'status', '--study', 'main'], root)
    expect(status.raters.slice(0, 2).every(({ rated }) => rated === 31 || rated === 32)).toBe(true)
  })
})
