import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { mirrorPath } from '../../../benchmarks/sources/fetch/remote-file.ts'
import type { Agreement } from '../../../targets/jury/study/agreement.ts'
import type { Calibration } from '../../../targets/jury/study/calibrate.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { openPack } from './packed-desk.ts'
import { eventsOf, rateDesk, serveDesk } from './served-desk.ts'

const DATA =
  'https://openaipublic.blob.core.windows.net/simple-evals/healthbench/2025-05-07-06-14-12_oss_eval.jsonl'
const POINTS = [5, 3, -4]
const EXAMPLES = 24

const rows = Array.from({ length: EXAMPLES }, (_, at) => ({
  prompt_id: `p${at}`,
  example_tags: ['theme:hedging'],
  prompt: [{ role: 'user', content: `May I take pill #${at}#?` }],
  rubrics: POINTS.map((points, item) => ({ criterion: `criterion ${item} of ${at}`, points, tags: [] })),
}))

/** The grader finds the first point met, of every third answer the second, of every fourth the third. */
const isMet = (at: number, item: number): boolean => at % (item === 0 ? 1 : item + 2) === 0

const graderScore = (at: number): number =>
  POINTS.reduce((sum, points, item) => sum + (isMet(at, item) ? points : 0), 0) / 8

let cwd = ''

const json = async <T>(...args: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await medmake([...args, '--json'], { cwd })
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as T
}

beforeAll(async () => {
  const server = await fakeServer({
    answer: ({ model, body }) => {
      const asked = (body['messages'] as { content: string }[]).at(-1)?.content ?? ''
      const at = Number(/#(\d+)#/.exec(asked)?.[1])
      if (model === 'fake/one') return `Of pill #${at}# take none.`
      const item = Number(/criterion (\d) of/.exec(asked)?.[1])
      return `{"explanation": "so", "criteria_met": ${isMet(at, item)}}`
    },
  })
  cwd = createWorkspace({
    'medmake.yaml': 'mirror: mirror\n',
    'models/fake.yaml': modelsYaml(server, ['fake/one', 'fake/grader']),
    'grader.yaml': 'judges: [{name: g, model: fake/grader, model_deployment: fake/grader}]\n',
    'targets/main.conf':
      'entries: [{description: "health_bench:jury_config_path=grader.yaml,model=fake/one"}]',
  })
  const file = join(cwd, 'mirror', mirrorPath(DATA))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const run = await medmake(['run'], { cwd })
  expect(run.code, run.stderr).toBe(0)
  const plan = await medmake(
    ['rate', 'plan', 'main', '--practice', '2', '--raters', 'ann,bob', '--labels', '20', '--overlap', '1'],
    { cwd },
  )
  expect(plan.code, plan.stderr).toBe(0)
  expect(plan.stdout).toContain("each point of the instance's own rubric is met or not met")
}, 60_000)

describe('HealthBench in the rating desk', () => {
  it('asks of each point of an instance’s own rubric whether it is met, and never what it is worth', async () => {
    const desk = await serveDesk(cwd)
    const seen: string[] = []
    const problems = await rateDesk(desk, (rater, item) => {
      seen.push(JSON.stringify(item))
      const at = Number(/#(\d+)#/.exec(item.question)?.[1])
      expect(item.rubric).toMatchObject({
        scale: { least: 0, most: 1 },
        ends: { least: 'not met', most: 'met' },
        criteria: POINTS.map((_, of) => ({ name: `item-${of + 1}`, text: `criterion ${of} of ${at}` })),
      })
      // Clinicians never find the second point met; ann can't judge the third of every eighth answer.
      const scores: Record<string, number | null> = {
        'item-1': 1,
        'item-2': 0,
        'item-3': Number(isMet(at, 2)),
      }
      if (rater === 'ann' && at % 8 === 0)
        return { scores: { ...scores, 'item-3': null }, reason: 'outside-expertise' }
      return { scores }
    })
    expect(problems.filter((problem) => problem !== undefined)).toEqual([])
    expect(seen.join('\n')).not.toMatch(/"points"|-4/)
    const ann = eventsOf('ann', cwd)
    expect(ann.slice(0, 2).every(({ practice }) => practice === true)).toBe(true)
    expect(ann.find(({ content, practice }) => content?.reason && practice !== true)?.content).toMatchObject({
      scores: { 'item-1': 1, 'item-2': 0 },
      reason: 'outside-expertise',
      composite: 5 / 8,
    })
  })

  it('holds clinicians’ points against the grader’s, without practice, and calibrates the score of the board', async () => {
    const { agreement } = await json<{ readonly agreement: readonly Agreement[] }>('agreement', 'main')
    expect(agreement[0]).toMatchObject({ raters: 2, ratings: 40, answers: 20 })
    // Rounded to whole points, half of them would be none.
    expect(agreement[0]?.jury?.kappa?.value).toBeNull()
    // Where the third point is met, a fault, both take off half of the points.
    expect(agreement[0]?.jury?.spearman.value).toBeGreaterThan(0.5)
    const { calibrations } = await json<{ readonly calibrations: readonly Calibration[] }>(
      'jury',
      'calibrate',
      '--suite',
      'main',
    )
    const [model] = calibrations[0]?.models ?? []
    expect(model).toMatchObject({ labels: 20, unlabelled: 4, sample: 'planned' })
    const all = Array.from({ length: EXAMPLES }, (_, at) => graderScore(at))
    expect(model?.raw).toBeCloseTo(all.reduce((sum, score) => sum + score, 0) / EXAMPLES, 12)
    // The second point, met in a third of the answers, is worth 3 of 8.
    expect((model?.raw ?? 0) - (model?.value ?? 0)).toBeGreaterThan(0.09)
    expect((model?.raw ?? 0) - (model?.value ?? 0)).toBeLessThan(0.16)
    expect((await medmake(['report'], { cwd })).stdout).toMatch(/cal\. 0\.\d+ \(0/)
    // Where ann could not judge the third point it is in neither's; else she differs from the grader by the second alone.
    const ann = eventsOf('ann', cwd).filter(({ kind, practice }) => kind === 'rated' && practice !== true)
    const report = await medmake(['rate', 'report', '--json'], { cwd })
    const last = JSON.parse(report.stdout.trim().split('\n').at(-1) ?? '') as {
      readonly raters: readonly { readonly rater: string; readonly aboveJury: number }[]
    }
    const eighths =
      (last.raters.find(({ rater }) => rater === 'ann')?.aboveJury ?? NaN) * ann.length * (8 / 3)
    expect(Math.abs(eighths - Math.round(eighths))).toBeLessThan(1e-9)
    const status = await medmake(['rate', 'status'], { cwd })
    expect(status.stdout).toMatch(/ann +20 +20 +0 +0/)
  })

  it('is taken in from its own export with the same scores, and once', async () => {
    const exported = await medmake(['rate', 'export', '--csv', '--out', 'out.csv'], { cwd })
    expect(exported.code, exported.stderr).toBe(0)
    const take = async (study: string): Promise<string> => {
      const { stdout } = await medmake(['rate', 'import', 'out.csv', '--study', study, '--suite', 'main'], {
        cwd,
      })
      return stdout
    }
    expect(await take('main')).toMatch(/: 0 entries of ann added to main; 20 were here already$/m)
    expect(await take('copy')).toMatch(/: 20 entries of ann added to copy$/m)
    const agreement = (study: string): Promise<object> => json<object>('agreement', 'main', '--study', study)
    expect(await agreement('copy')).toEqual(await agreement('main'))
    rmSync(join(cwd, 'ratings/copy'), { recursive: true })
  })

  it('comes back from a sealed file with the same scores', async () => {
    const plan = await medmake(['rate', 'plan', '--raters', 'cyd', '--labels', '24'], { cwd })
    expect(plan.code, plan.stderr).toBe(0)
    const packed = await medmake(['rate', 'pack', '--rater', 'cyd'], { cwd })
    expect(packed.code, packed.stderr).toBe(0)
    const pack = openPack(join(cwd, 'main-cyd.html'), packed.stdout)
    expect(pack.html).not.toContain('criterion 0 of')
    const returned = await pack.returned([
      { item: 3, scores: { 'item-1': 0, 'item-2': 1, 'item-3': 1 } },
      { item: 4, scores: { 'item-1': null, 'item-2': null, 'item-3': 0 }, reason: 'not-readable' },
    ])
    writeFileSync(join(cwd, 'cyd.json'), returned)
    const taken = await medmake(['rate', 'import', 'cyd.json'], { cwd })
    expect(taken.code, taken.stderr).toBe(0)
    // Of what was judged: -1 of 8 points; no points to be had.
    expect(eventsOf('cyd', cwd).map(({ kind, content }) => [kind, content?.composite])).toEqual([
      ['rated', -1 / 8],
      ['rated', null],
    ])
  })
})
