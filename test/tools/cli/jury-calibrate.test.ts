import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Calibration } from '../../../targets/jury/study/calibrate.ts'
import type { NextLabels } from '../../../targets/jury/next-labels.ts'
import type { Board } from '../../../targets/board/board.ts'
import { predictionPoweredMean } from '../../../targets/statistics/calibration/prediction-powered.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const NOTES = 24
/** One more, which both models leave blank. */
const BLANK = `note ${NOTES}`
const RATED = 8
const MODELS = ['fake/a', 'fake/b']

/** The jury's score of a model's answer to a note, from 2 to 5. */
const juryScore = (model: string, note: number): number => 2 + ((note * 5 + (model === 'fake/b' ? 3 : 0)) % 4)
/** Clinicians are harder by one point, now and then by two. */
const label = (model: string, note: number): number =>
  Math.max(1, juryScore(model, note) - (note % 3 === 0 ? 2 : 1))

const rows = (models: readonly string[], notes: number): readonly string[] =>
  models.flatMap((model) =>
    Array.from(
      { length: notes },
      (_, note) => `r1,id${note},summaries,${model.replace('/', '_')},${label(model, note)}`,
    ),
  )
const csv = (lines: readonly string[]): string =>
  `rater,instance_id,benchmark,model,accuracy\n${lines.map((line) => `${line}\n`).join('')}`

let root = ''

beforeAll(async () => {
  const server = await fakeServer({
    answer: ({ model, prompt }) => {
      if (MODELS.includes(model)) return prompt.includes(BLANK) ? '' : `${model}: ${prompt}`
      const [, by = '', note = ''] = /(fake\/[ab]): Summarise: note (\d+)/.exec(prompt) ?? []
      return `{"accuracy": {"score": ${juryScore(by, Number(note))}, "explanation": ""}}`
    },
  })
  root = createWorkspace({
    'models/fake.yaml': modelsYaml(server, [...MODELS, 'fake/one', 'fake/two']),
    ...shortBenchmark(
      { name: 'summaries', access: 'public', judges: ['fake/one', 'fake/two'] },
      {
        data: `note\n${Array.from({ length: NOTES }, (_, note) => `note ${note}\n`).join('')}${BLANK}\n`,
      },
    ),
    'targets/main.conf': `entries: [${MODELS.map((model) => `{description: "summaries:model=${model}"}`).join(', ')}]`,
    'ratings.csv': csv(rows(MODELS, RATED)),
  })
  const run = await medmake(['run'], { cwd: root })
  expect(run.code, run.stderr).toBe(0)
})

describe('medmake jury calibrate', () => {
  it('gives what clinicians would, by each model’s own labels, and puts it on the board beside the jury’s', async () => {
    const before = await medmake(['report', '--json'], { cwd: root })
    const [plain] = (JSON.parse(before.stdout) as { boards: readonly Board[] }).boards
    expect(plain?.rows.map(({ cells }) => cells[0]?.calibrated)).toEqual([null, null])

    const { code, stdout, stderr } = await medmake(
      [
        'jury',
        'calibrate',
        'ratings.csv',
        '--suite',
        'main',
        '--half-width',
        '0.5',
        '--labels',
        '4',
        '--json',
      ],
      { cwd: root },
    )
    expect(code, stderr).toBe(0)
    const found = JSON.parse(stdout) as {
      readonly calibrations: readonly Calibration[]
      readonly next: readonly NextLabels[]
    }
    const [calibration] = found.calibrations
    expect(calibration).toMatchObject({ benchmark: 'summaries', models: [{ labels: 8 }, { labels: 8 }] })
    for (const { model, raw, value, interval, labelsNeeded } of calibration?.models ?? []) {
      const notes = Array.from({ length: NOTES }, (_, note) => note)
      const expected = predictionPoweredMean(
        {
          labels: notes.slice(0, RATED).map((note) => label(model, note)),
          predictions: notes.slice(0, RATED).map((note) => juryScore(model, note)),
          unlabelled: notes.slice(RATED).map((note) => juryScore(model, note)),
        },
        0.95,
      )
      expect(value).toBeCloseTo(expected.estimate, 12)
      expect(interval?.low).toBeCloseTo(expected.interval?.low ?? NaN, 12)
      expect(raw).toBeCloseTo(notes.reduce((sum, note) => sum + juryScore(model, note), 0) / NOTES, 12)
      expect(labelsNeeded).toBeGreaterThan(2)
    }
    expect(calibration?.pairs).toMatchObject([{ a: 'fake/a', b: 'fake/b', labels: 8, unlabelled: 16 }])
    // Four more, none of them rated yet.
    const named = found.next.flatMap(({ instances }) => instances)
    expect(named).toHaveLength(4)
    for (const instance of named) expect(Number(instance.slice(2))).toBeGreaterThanOrEqual(RATED)

    const after = await medmake(['report', '--json'], { cwd: root })
    const [board] = (JSON.parse(after.stdout) as { boards: readonly Board[] }).boards
    for (const { model, cells } of board?.rows ?? []) {
      const own = calibration?.models.find((each) => each.model === model.deployment)
      const { value, interval } = own ?? {}
      // The board’s score is also of the blank answer, of which clinicians say nothing.
      expect(cells[0]?.calibrated).toEqual({ value, interval, labels: 8, uncovered: 1 })
      expect(cells[0]?.value).toBeCloseTo(((own?.raw ?? NaN) * NOTES) / (NOTES + 1), 12)
    }
    const text = await medmake(['report'], { cwd: root })
    expect(text.stdout).toMatch(/cal\. \d\.\d+ \(\d/)
    expect(text.stdout).toContain('calibrated by clinicians’ labels')
    const page = readFileSync(join(root, 'benchmark_output/site/index.html'), 'utf8')
    expect(page).toMatch(/calibrated \d\.\d+\n[^<]*, 8 labels, without 1 answer/)
  })

  it('takes a calibration back with the ratings that it rests on', async () => {
    writeFiles(root, { 'few.csv': csv(rows(['fake/a'], RATED)) })
    const {
      code,
      stdout: told,
      stderr,
    } = await medmake(['jury', 'calibrate', 'few.csv', '--suite', 'main'], {
      cwd: root,
    })
    expect(told).toContain('Labels that no plan drew are taken as a random draw of all answers')
    expect(code, stderr).toBe(0)
    const { stdout } = await medmake(['report', '--json'], { cwd: root })
    const [board] = (JSON.parse(stdout) as { boards: readonly Board[] }).boards
    const has = new Map(
      board?.rows.map(({ model, cells }) => [model.deployment, cells[0]?.calibrated !== null]),
    )
    expect(has).toEqual(
      new Map([
        ['fake/a', true],
        ['fake/b', false],
      ]),
    )
  })

  it('tells of ratings that are of no answer, and refuses a file of nothing else', async () => {
    writeFiles(root, {
      'strange.csv': csv([...rows(['fake/a'], RATED), 'r1,id99,summaries,fake_a,3']),
      'alien.csv': csv(['r1,id0,summaries,fake_z,3']),
    })
    const some = await medmake(['jury', 'calibrate', 'strange.csv', '--suite', 'main'], { cwd: root })
    expect(some.stderr).toContain('1 rating is of answers that no run holds, first summaries id99 fake_a')
    const none = await medmake(['jury', 'calibrate', 'alien.csv', '--suite', 'main'], { cwd: root })
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('jury/no-rated-answer')
    expect((await medmake(['jury', 'calibrate', 'ratings.csv'], { cwd: root })).stderr).toContain(
      'cli/bad-argument',
    )
  })
})

describe('medmake agreement --suite', () => {
  it('holds the jury of the runs against ratings that name no jury', async () => {
    const { code, stdout, stderr } = await medmake(
      ['agreement', 'ratings.csv', '--suite', 'main', '--json'],
      {
        cwd: root,
      },
    )
    expect(code, stderr).toBe(0)
    const found = JSON.parse(stdout) as { readonly scores: string; readonly agreement: readonly object[] }
    expect(found.scores).toBe('suite main')
    expect(found.agreement).toMatchObject([
      { name: 'summaries', raters: 1, answers: 16, jury: { answers: 16 } },
    ])
  })

  it('leaves Nx no report of before, as calibrating does', async () => {
    const token = 'cache/results/leaderboard/site-token'
    for (const verb of [['agreement'], ['jury', 'calibrate']]) {
      writeFiles(root, { [token]: 'known to Nx' })
      const { code } = await medmake([...verb, 'ratings.csv', '--suite', 'main'], { cwd: root })
      expect({ code, verb, kept: existsSync(join(root, token)) }).toEqual({ code: 0, verb, kept: false })
    }
  })
})
