import { describe, expect, it } from 'vitest'
import type { FakeAnswer, FakeCall } from '../../bench/fake-answer.ts'
import type { FakeServerOptions } from '../../bench/fake-server.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake, startMedmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

/** Models answer each in their own words, judges as told. */
const judgedBy =
  (score: (call: FakeCall) => number) =>
  (call: FakeCall): FakeAnswer =>
    call.model === 'fake/one' || call.model === 'fake/two'
      ? `{"accuracy": {"score": ${score(call)}, "explanation": ""}}`
      : `${call.model}: ${call.prompt}`

/** A workspace with two models and two judges; its run is built. */
const builtWorkspace = async (options?: FakeServerOptions, limits?: string) => {
  const server = await fakeServer(options)
  const models = modelsYaml(server, ['fake/a', 'fake/b', 'fake/one', 'fake/two'], limits)
  const cwd = createWorkspace({
    'models/fake.yaml': models,
    ...shortBenchmark(
      { name: 'summaries', judges: ['fake/one', 'fake/two'] },
      { data: 'note\nfever\ncough\nrash\n' },
    ),
    'targets/main.conf':
      'entries: [{description: "summaries:model=fake/a"}, {description: "summaries:model=fake/b"}]',
  })
  const early = await medmake(['jury', 'dropout'], { cwd })
  expect(early.code).toBe(1)
  expect(early.stderr).toContain('jury/not-built')
  expect((await medmake(['run'], { cwd })).code).toBe(0)
  return { server, cwd, models }
}

/** Resolves once the stream has said so. */
const waitForText = (stream: NodeJS.ReadableStream, wanted: string): Promise<void> =>
  new Promise((resolve) => {
    let said = ''
    stream.on('data', (chunk: unknown) => {
      said += String(chunk)
      if (said.includes(wanted)) resolve()
    })
  })

describe('medmake jury dropout', () => {
  it('scores the stored judgements without each judge, and asks nobody', async () => {
    const { server, cwd } = await builtWorkspace()
    const { requests } = server.journal()
    const { code, stdout, stderr } = await medmake(['jury', 'dropout', '--json'], { cwd })
    expect(code, stderr).toBe(0)
    const { dropout } = JSON.parse(stdout) as {
      dropout: {
        benchmark: string
        models: { all: { score: number }; without: Record<string, { score: number }> }[]
      }[]
    }
    expect(dropout.map(({ benchmark, models }) => [benchmark, models.length])).toEqual([['summaries', 2]])
    // Two judges with one criterion each: with both an answer scores the mean of what each alone would give.
    for (const { all, without } of dropout[0]?.models ?? [])
      expect(all.score).toBeCloseTo(
        ((without['fake/one']?.score ?? 0) + (without['fake/two']?.score ?? 0)) / 2,
        12,
      )
    expect(server.journal().requests).toBe(requests)
    const { stdout: text } = await medmake(['jury', 'dropout'], { cwd })
    expect(text).toContain('pairs that swap')
    expect(text).not.toContain('as the board ranks')
    const typo = await medmake(['jury', 'droput'], { cwd })
    expect(typo.code).toBe(2)
    expect(typo.stderr).toContain('Did you mean "dropout"?')
    writeFiles(cwd, {
      'targets/main.conf': 'entries: [{description: "demo_multiple_choice:model=baseline/lead"}]',
    })
    expect((await medmake(['jury', 'dropout'], { cwd })).stderr).toContain('jury/no-jury')
  })
})

describe('medmake jury of runs that are not whole', () => {
  it('ranks by what the board ranks by, and says what is missing', async () => {
    // HELM's mean of both is 3: it holds a default of 1 in place of fake/a's answer to fever, of which no judge could be read.
    const { cwd } = await builtWorkspace({
      answer: (call) => {
        const isLost = call.prompt.includes('fever') && call.prompt.includes('fake/a')
        return call.model !== 'fake/a' && call.model !== 'fake/b' && isLost
          ? 'no JSON'
          : judgedBy(({ prompt }) => (prompt.includes('fake/a') ? 4 : 3))(call)
      },
    })
    const dropout = async () => {
      const { stdout, stderr } = await medmake(['jury', 'dropout'], { cwd })
      return { lines: stdout.split('\n'), stderr }
    }
    const over = '  Over the instances of which each judge that is left could be read, as the board ranks.'
    const under = await dropout()
    expect(under.lines).toEqual([
      'summaries',
      '  model               all judges  without fake/one  without fake/two',
      '  fake/b               3.000 (1)         3.000 (1)         3.000 (1)',
      '  fake/a           4.000, 2 of 3     4.000, 2 of 3     4.000, 2 of 3',
      '  pairs that swap                                –                 –',
      over,
      '  Without a rank: under the floor of coverage, as on the board; in no pair that swaps.',
    ])
    writeFiles(cwd, { 'medmake.yaml': 'coverage_floor: 0.5\n' })
    const { lines, stderr } = await dropout()
    expect(lines).toEqual([
      'summaries',
      '  model                   all judges   without fake/one   without fake/two',
      '  fake/a           4.000 (1), 2 of 3  4.000 (1), 2 of 3  4.000 (1), 2 of 3',
      '  fake/b                   3.000 (2)          3.000 (2)          3.000 (2)',
      '  pairs that swap                                     0                  0',
      over,
    ])
    const note = 'summaries:model=fake_a is not whole: 66.6 % measured, 66.6 % of judgements read.'
    expect(stderr).toContain(note)
    expect(stderr).not.toContain('fake_b')
    expect((await medmake(['jury', 'family'], { cwd })).stderr).toContain(note)
  })

  it('are taken with --allow-failures where a judge never replies, by all that read judgements', async () => {
    const { cwd } = await builtWorkspace()
    const server = await fakeServer({
      answer: (call) => (call.model === 'fake/two' ? { status: 400 } : judgedBy(() => 4)(call)),
    })
    writeFiles(cwd, { 'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b', 'fake/one', 'fake/two']) })
    writeFiles(cwd, { 'benchmarks/summaries/data.csv': 'note\nitch\nache\n' })
    expect((await medmake(['run', '--allow-failures'], { cwd })).code).toBe(0)
    const verbs = [
      ['jury', 'coverage', 'main'],
      ['jury', 'repeats', 'main', '--dry-run'],
      ['rate', 'plan', 'main', '--raters', 'ann', '--labels', '2'],
    ]
    for (const verb of verbs) {
      const refused = await medmake(verb, { cwd })
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain('with --allow-failures')
      expect(await medmake([...verb, '--allow-failures'], { cwd })).toMatchObject({ code: 0 })
    }
    for (const verb of [
      ['agreement', 'main'],
      ['jury', 'calibrate', '--suite', 'main'],
    ])
      expect((await medmake([...verb, '--allow-failures'], { cwd })).stderr).toContain('jury/no-rated-answer')
    const { stdout } = await medmake(['jury', 'coverage', 'main', '--allow-failures'], { cwd })
    expect(stdout).toMatch(/fake\/a {2}fake\/two +2 +0\.0 % +2 /)
  })
})

describe('medmake jury coverage', () => {
  it('says of each judge how many of its replies count, and its mean by criterion', async () => {
    // fake/one is off the scale for the answers to fever; fake/two can not be read there.
    const { server, cwd } = await builtWorkspace({
      answer: (call) => {
        const aboutFever = call.prompt.includes('fever')
        if (call.model === 'fake/two' && aboutFever) return 'no JSON'
        return judgedBy(({ model }) => (model === 'fake/two' ? 2 : aboutFever ? 7 : 4))(call)
      },
    })
    const { requests } = server.journal()
    const { code, stdout, stderr } = await medmake(['jury', 'coverage', '--json'], { cwd })
    expect(code, stderr).toBe(0)
    const judges = [
      { judge: 'fake/one', asked: 3, counted: 2, unreadable: 0, outOfRange: 1, mean: 4 },
      { judge: 'fake/two', asked: 3, counted: 2, unreadable: 1, outOfRange: 0, mean: 2 },
    ].map((judge) => ({
      ...judge,
      criteria: [{ criterion: 'accuracy', counted: 2, mean: judge.mean }],
    }))
    expect(JSON.parse(stdout)).toEqual({
      coverage: ['fake/a', 'fake/b'].map((model) => ({
        benchmark: 'summaries',
        model,
        scale: [0, 5],
        judges,
      })),
    })
    const { stdout: text } = await medmake(['jury', 'coverage'], { cwd })
    expect(text).toMatch(/fake\/b +fake\/two +3 +66\.6 % +1 +0 +2\.000 +2\.000 \(2\)/)
    expect(server.journal().requests).toBe(requests)
  })
})

describe('medmake compare by jury_score_strict', () => {
  it('leaves out what no judge could score, and shows HELM’s default beside', async () => {
    // Of fake/b's answer to fever no judge can be read.
    const { cwd } = await builtWorkspace({
      answer: (call) =>
        call.prompt.includes('fake/b') && call.prompt.includes('fever')
          ? 'no JSON'
          : judgedBy(({ prompt }) => (prompt.includes('fake/b') ? 5 : 4))(call),
    })
    // A third of the judgements is lost: more than a decision would bear unless told otherwise.
    writeFiles(cwd, { 'medmake.yaml': 'coverage_floor: 0.6' })
    const compared = async (...flags: string[]) => {
      const run = await medmake(['compare', 'fake/a', 'fake/b', '--format', 'json', ...flags], { cwd })
      expect(run.code, run.stderr).toBe(0)
      return (JSON.parse(run.stdout) as { comparisons: unknown[] }).comparisons
    }
    // Whatever a judge would have given for fever, 0 to 5, B's lead lies within these bounds.
    const bounds = { low: expect.closeTo((1 + 1 - 4) / 3, 12), high: expect.closeTo(1, 12) }
    const told = { lostA: 0, lostB: 1, result: { n: 3, common: 2, difference: 1, bounds, p: 1 } }
    expect(await compared()).toMatchObject([
      { metric: 'jury_score', helmA: 4, helmB: (0 + 5 + 5) / 3, ...told },
    ])
    expect(await compared('--metric', 'jury_score_strict')).toMatchObject([
      { metric: 'jury_score_strict', lowerIsBetter: false, helmB: null, ...told },
    ])
    const coverage = await compared('--fail-if', 'jury_coverage worsens > 0.5')
    expect(coverage).toMatchObject([{}, { metric: 'jury_coverage', result: { difference: -1 / 3 } }])
  })
})

describe('medmake jury family', () => {
  it('tells leniency from self-preference, asks nobody, and names models of unknown makers', async () => {
    // fake/one, which shares a maker with fake/a, is lenient, and fonder of fake/a by one point.
    const { cwd, server, models } = await builtWorkspace({
      answer: judgedBy(({ model, prompt }) =>
        model === 'fake/one' ? (prompt.includes('fake/a') ? 5 : 4) : prompt.includes('cough') ? 3 : 2,
      ),
    })
    const { requests } = server.journal()
    const unknown = await medmake(['jury', 'family'], { cwd })
    expect(unknown.stderr).toContain('nothing says who made fake/a, fake/b, fake/one, fake/two')
    const described = ['fake/a', 'fake/one']
      .map((name) => `  - {name: ${name}, creator_organization_name: Fake, access: open, tags: []}\n`)
      .join('')
    writeFiles(cwd, { 'models/fake.yaml': `models:\n${described}${models}` })
    const { code, stdout, stderr } = await medmake(['jury', 'family', '--json'], { cwd })
    expect(code, stderr).toBe(0)
    const { family, unknownMakers } = JSON.parse(stdout) as {
      family: {
        kinship: { delta: number; interval: object | null } | null
        judges: { judge: string; leniency: number }[]
        models: { model: string; all: number; adjusted: number; withoutOwnFamily: number; own: string[] }[]
      }[]
      unknownMakers: unknown
    }
    expect(unknownMakers).toEqual(['fake/b', 'fake/two'])
    const [found] = family
    expect(found?.kinship?.delta).toBeCloseTo(1, 9)
    // fake/one gives fake/b 4, fake/two gives 2, 3 and 2 to all: five thirds between them.
    expect(found?.judges[0]?.leniency).toBeCloseTo(5 / 6, 9)
    for (const { adjusted } of found?.models ?? []) expect(adjusted).toBeCloseTo((4 + 7 / 3) / 2, 9)
    expect(found?.models.find(({ model }) => model === 'fake/a')).toMatchObject({ own: ['fake/one'] })
    const { stdout: text } = await medmake(['jury', 'family'], { cwd })
    expect(text.split('\n')).toEqual([
      'summaries',
      '  a judge gives its own family +1.000 points (no interval: the scores have no spread)',
      '  judge       family  leniency',
      '  fake/one      Fake    +0.833',
      '  fake/two  fake/two    −0.833',
      '  model   family  judgements  all judges  adjusted  other families  judges of its family',
      '  fake/b  fake/b           6       3.167     3.167           3.167',
      '  fake/a    Fake           6       3.667     3.167           2.333              fake/one',
      '  adjusted: without leniency and kinship. Other families: its own judges left out, who may merely be the lenient ones.',
    ])
    const { stdout: agreement } = await medmake(['jury', 'agreement'], { cwd })
    expect(agreement.split('\n')).toEqual([
      'summaries: 6 answers',
      "  Krippendorff's alpha −0.680 (no interval: fewer than 5 sources, or one of them decides all)",
      '  judges              answers  ICC(3,k)',
      '  fake/one, fake/two        6     0.000',
      "  variance over 6 answers with all judges: answers 0.000, judges' leniency 2.300, judges' tastes 0.283, chance included",
      '  reliability of three judges, asked once: 0.000 for ranks, 0.000 for scores; no 100 judges reach 0.8',
    ])
    const judges = await medmake(['jury', 'agreement', '--json'], { cwd })
    expect(JSON.parse(judges.stdout)).toMatchObject({ agreement: [{ answers: 6, complete: 6 }] })
    expect(server.journal().requests).toBe(requests)
  })
})

const published = shared('published/helm-run-medication_qa-gpt-4o')
const mirror = shared('mirror')

describe.skipIf(published === undefined || mirror === undefined)("a published run of HELM's", () => {
  it('has its score by the judges that its maker did not make, from the judgements it came with', async () => {
    const model = 'openai/gpt-4o-2024-05-13,model_deployment=stanfordhealthcare/gpt-4o-2024-05-13'
    const cwd = createWorkspace({
      'targets/main.conf': `entries: [{description: "medication_qa:model=${model}"}]`,
    })
    const flags = ['-m', '10', '--mirror', mirror ?? '']
    expect((await medmake(['release', 'import', published ?? ''], { cwd })).code).toBe(0)
    expect((await medmake(['run', ...flags], { cwd })).stdout).toContain('0 provider calls')
    const { stdout } = await medmake(['jury', 'family', ...flags], { cwd })
    // One model alone cannot tell its maker's fondness from leniency.
    expect(stdout).toContain('kinship cannot be told from leniency here')
    expect(stdout).toMatch(/OpenAI +30 +4\.544 +4\.544 +4\.500 +gpt$/m)
    // Two more askings of three judges about ten answers.
    const dry = await medmake(['jury', 'repeats', '--dry-run', '--json', ...flags], { cwd })
    expect(JSON.parse(dry.stdout)).toMatchObject({ calls: 60 })
  })
})

describe('medmake jury repeats', () => {
  it('pays for what was not asked before alone, and says how alike the replies are', async () => {
    // fake/two raises its score by one each time it is asked the same.
    const { server, cwd } = await builtWorkspace({
      answer: judgedBy(({ model, attempt }) => (model === 'fake/one' ? 3 : attempt)),
    })
    const asked = (): number => server.journal().requests
    const before = asked()
    const dry = await medmake(['jury', 'repeats', '--repeats', '2', '--dry-run', '--json'], { cwd })
    expect(JSON.parse(dry.stdout)).toEqual({
      repeats: 2,
      calls: 12,
      judges: { 'fake/one': 6, 'fake/two': 6 },
    })
    const refused = await medmake(['jury', 'repeats', '--max-calls', '23'], { cwd })
    expect(refused.code).toBe(4)
    expect(refused.stderr).toContain('jury/too-many-calls')
    expect(asked()).toBe(before)

    const first = await medmake(['jury', 'repeats', '--repeats', '2', '--json'], { cwd })
    expect(first.code, first.stderr).toBe(0)
    expect(asked()).toBe(before + 12)
    expect(JSON.parse(first.stdout)).toMatchObject({
      repeats: 2,
      calls: 12,
      judges: [
        { judge: 'fake/one', answers: 6, identical: 1, sd: 0, maxChange: 0, means: [3, 3] },
        { judge: 'fake/two', answers: 6, identical: 0, sd: Math.SQRT1_2, maxChange: 1, means: [1, 2] },
      ],
    })
    const again = await medmake(['jury', 'repeats', '--repeats', '2', '--json'], { cwd })
    expect(asked()).toBe(before + 12)
    expect(again.stdout).toBe(first.stdout.replace('"calls":12', '"calls":0'))

    const more = await medmake(['jury', 'repeats', '--repeats', '3'], { cwd })
    expect(more.stderr).toContain('3 repeats take 12 more calls: fake/one 6, fake/two 6')
    expect(asked()).toBe(before + 24)
    expect(more.stdout.split('\n')).toEqual([
      'summaries, each judge asked 3 times',
      '  judge     answers  same scores     SD  largest change  ICC(1,1)   alpha           means  unreadable',
      '  fake/one        6        100 %  0.000               0         –       –  3.000 to 3.000           0',
      '  fake/two        6        0.0 %  1.000               2    −0.500  −0.417  1.000 to 3.000           0',
      '  no interval of an ICC: fewer than 5 sources, or one of them decides all',
      "  variance over 6 answers: answers 0.000, judges' leniency 0.500, judges' tastes 0.000, chance 0.500",
      '  reliability of three judges, asked once: 0.000 for ranks, 0.000 for scores; no 100 judges reach 0.8',
    ])
    const fewer = await medmake(['jury', 'repeats', '--instances', '1', '--runs', 'fake_a', '--json'], {
      cwd,
    })
    expect(JSON.parse(fewer.stdout)).toMatchObject({ calls: 0, judges: [{ answers: 1 }, { answers: 1 }] })
    // The run itself is as it was.
    expect((await medmake(['run'], { cwd })).stdout).toContain('2 fresh')
    expect(asked()).toBe(before + 24)
  })

  it('leaves an answer out whose judge does not reply, ends as incomplete and asks for that alone', async () => {
    let broken = false
    const { server, cwd } = await builtWorkspace({
      answer: (call) =>
        broken && call.model === 'fake/two' && call.prompt.includes('fever')
          ? { status: 400, body: { error: { message: `cannot read ${call.prompt}` } } }
          : judgedBy(() => 4)(call),
    })
    broken = true
    const { code, stdout, stderr } = await medmake(['jury', 'repeats', '--repeats', '2', '--json'], { cwd })
    expect(code).toBe(1)
    expect(stderr).toContain('incomplete: 2 replies did not come, first fake/two')
    // The benchmark is private: what a provider says may repeat its text.
    expect(stdout + stderr).not.toContain('fever')
    expect(JSON.parse(stdout)).toMatchObject({ judges: [{ answers: 6 }, { answers: 4 }] })
    broken = false
    const before = server.journal().requests
    expect((await medmake(['jury', 'repeats', '--repeats', '2'], { cwd })).code).toBe(0)
    expect(server.journal().requests).toBe(before + 2)
  })
  it('stops on a signal, keeps what came in, and goes on from there', async () => {
    const { server, cwd } = await builtWorkspace({ answer: judgedBy(() => 4) }, '{concurrency: 1}')
    const before = server.journal().requests
    server.hold()
    const running = startMedmake(['jury', 'repeats', '--repeats', '2'], { cwd })
    await server.received(before + 2)
    running.kill('SIGINT')
    await waitForText(running.stderr, 'Stopping')
    server.release()
    expect((await running).exitCode).toBe(130)
    const made = server.journal().requests - before
    expect(made).toBeLessThan(12)
    const { stdout } = await medmake(['jury', 'repeats', '--repeats', '2', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ calls: 12 - made })
    expect(server.journal()).toMatchObject({ requests: before + 12 })
  })
})
