import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { studyFlag } from '../../../tools/cli/rate/study-flag.ts'
import { ratersFlag } from '../../../tools/cli/rate/plan.ts'
import { RatingLog } from '../../../tools/ratings/rating-log.ts'
import {
  listStudies,
  logFile,
  openLog,
  ratersOf,
  readAllEvents,
  requirePlan,
  tellCut,
  writePlan,
} from '../../../tools/ratings/study-folder.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

test.each([
  ['events', (root: string) => readAllEvents(root, ['mian'])],
  ['plan', (root: string) => requirePlan(root, 'mian')],
])(
  'The %s of a study that is not there are asked for by its name, with the one that is meant',
  async (_, read) => {
    const root = createWorkspace()
    expect(await problemOf(() => read(root))).toMatchObject({
      code: 'ratings/no-study',
      remedy: expect.stringMatching(/^Draw one: /),
    })
    mkdirSync(join(root, 'ratings', 'main'), { recursive: true })
    expect((await problemOf(() => read(root)))?.remedy).toMatch(/main.*Draw one: /)
    const own = await problemOf(() => requirePlan(root, 'main'))
    expect(own?.remedy).toBe('Draw one: `medmake rate plan --study main --raters ann,bob`.')
    expect(readAllEvents(root)).toEqual([])
    // What else lies there is no study.
    writeFileSync(join(root, 'ratings', 'README'), '')
    mkdirSync(join(root, 'ratings', '.kept'))
    expect(listStudies(root)).toEqual(['main'])
  },
)

test('A study whose name differs from another’s in capitals alone is none: some disks make one folder of both', async () => {
  const root = createWorkspace()
  expect(studyFlag({ study: 'Main' }, root)).toBe('Main')
  for (const study of ['main', 'late']) mkdirSync(join(root, 'ratings', study), { recursive: true })
  expect(['main', 'ward'].map((study) => studyFlag({ study }, root))).toEqual(['main', 'ward'])
  expect(await problemOf(() => studyFlag({ study: 'Main' }, root))).toMatchObject({
    message: '--study "Main" is like main but for capitals',
  })
  mkdirSync(join(root, 'ratings', 'Main'))
  expect(studyFlag({ study: 'Main' }, root)).toBe('Main')
})

test('Raters of a plan are named once each, and no two alike but for capitals or how a letter is put together', async () => {
  const named = (raters: string) => problemOf(() => ratersFlag({ raters }, ['bob', '가나']))
  expect(ratersFlag({ raters: ' ann, bob,' }, ['bob'])).toEqual(['ann', 'bob'])
  expect((await named('ann,bob,ann'))?.message).toBe('--raters names ann twice')
  expect((await named('ann,Ann'))?.message).toContain('is like ann')
  expect((await named('가나'.normalize('NFD')))?.message).toContain('is like 가나')
})

test('A rater who is named is the one of the plan, and without a name all are', async () => {
  const raters = ['ann', 'bob'].map((name) => ({ name, units: [1] }))
  const study = { id: 'main', raters } as unknown as Study
  expect(ratersOf(study, undefined)).toEqual(raters)
  expect(ratersOf(study, 'bob')).toEqual(raters.slice(1))
  expect(await problemOf(() => ratersOf(study, 'bop'))).toMatchObject({
    code: 'ratings/no-rater',
    remedy: expect.stringMatching(/^Did you mean "bob"\? Raters are ann, bob; /),
  })
})

test('A plan is written alike, whatever order its parts were put together in', () => {
  const root = createWorkspace()
  const name = '0'.repeat(64)
  const subject = { benchmark: 'notes', instance: name, answer: name, rubric: name }
  const plan: Study = {
    id: 'ward',
    seed: 's',
    suites: [],
    overlap: 0,
    cuts: [],
    frames: [],
    units: [{ drawn: [], number: 1, ...subject }],
    raters: [{ name: 'ann', units: [1] }],
    version: 1,
  }
  const [drawn, read] = [plan, undefined].map((given) =>
    readFileSync(writePlan(root, given ?? requirePlan(root, 'ward')), 'utf8'),
  )
  expect(read).toBe(drawn)
})

test('Ratings that may have been cut are told of where they are counted', async () => {
  const cwd = createWorkspace({ 'ratings/main/ann.jsonl': '{"kind":"ra' })
  const { code, stderr } = await medmake(['rate', 'status'], { cwd })
  expect(code).toBe(0)
  expect(stderr).toContain('ratings/main/ann.jsonl ends in half a line')
})

test('Ratings of a desk whose plan is gone are in no figure; those of a table need none', async () => {
  const root = createWorkspace()
  const name = '0'.repeat(64)
  const subject = { benchmark: 'notes', instance: name, answer: name, rubric: name }
  const content = { nonce: '0'.repeat(32), scores: { tone: 3 }, active_ms: 1, opened: [] }
  const rate = (rater: string, origin?: string): void => {
    const log = new RatingLog(logFile(root, 'ward', rater))
    const at = '2026-01-01T00:00:00Z'
    const event = { study: 'ward', rater, kind: 'rated', at, subject, content } as const
    log.append([log.next(origin === undefined ? event : { ...event, origin })])
  }
  rate('ann', `table:${name}`)
  expect(readAllEvents(root)).toHaveLength(1)
  rate('bob')
  expect(await problemOf(() => readAllEvents(root))).toMatchObject({
    code: 'ratings/lost-plan',
    where: { file: join(root, 'ratings/ward/study.json') },
  })
})

test('Ratings that were kept here and are in their file no more are told, and nothing is added behind them', async () => {
  const root = createWorkspace()
  const add = (log: RatingLog): void =>
    log.append([
      log.next({ study: 'ward', rater: 'ann', kind: 'handed-in', at: '2026-01-01T00:00:00Z', content: null }),
    ])
  const told = (): string => {
    const lines: string[] = []
    tellCut(readAllEvents(root), (line) => lines.push(line))
    return lines.join()
  }
  for (let each = 0; each < 3; each++) add(openLog(root, 'ward', 'ann'))
  const file = logFile(root, 'ward', 'ann')
  const whole = readFileSync(file, 'utf8')
  expect(told()).toBe('')
  // Pulled from elsewhere: it grew.
  add(new RatingLog(file))
  expect(told()).toBe('')
  const cuts = [
    [
      2,
      () =>
        writeFileSync(
          file,
          whole
            .split(/(?<=\n)/)
            .slice(0, 2)
            .join(''),
        ),
    ],
    [0, () => writeFileSync(file, '')],
    [0, () => rmSync(file)],
    [0, () => rmSync(join(root, 'ratings'), { recursive: true })],
  ] as const
  for (const [events, cut] of cuts) {
    cut()
    expect(told()).toContain(`ratings/ward/ann.jsonl has ${events} events, not the last of the 3 kept here`)
    expect(await problemOf(() => openLog(root, 'ward', 'ann'))).toMatchObject({
      code: 'ratings/cut-log',
      where: { file },
    })
  }
  // Another machine's clone, and who deleted what this one knew.
  rmSync(join(root, 'cache/ratings/ward/ann.jsonl'))
  expect(readAllEvents(root)).toEqual([])
  openLog(root, 'ward', 'ann')
  mkdirSync(join(root, 'ratings/ward'), { recursive: true })
  appendFileSync(file, whole)
  add(openLog(root, 'ward', 'ann'))
  expect(told()).toBe('')
})
