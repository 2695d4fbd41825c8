import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { fullYaml } from '../../rig/full-yaml.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const rows = (right: (row: number) => string, count = 60): string =>
  `question,answer\n${Array.from({ length: count }, (_, row) => `Was visit ${row} planned?,${right(row)}`).join('\n')}\n`

const benchmark = (name: string): string => fullYaml({ name, top: [`display_name: The ${name}`] })

const model = (name: string): string =>
  `model_deployments:\n  - name: own/${name}\n    client_spec: {class_name: medmake.baseline, args: {name: ${name}}}\n`

const entries = (...models: readonly string[]): string =>
  `entries: [${models.flatMap((name) => ['visits', 'letters'].map((each) => `{description: "${each}:model=own/${name}"}`)).join(', ')}]\n`

const notes = (judge: string): string => `name: notes
description: Invented.
access: public
metrics:
  - name: jury_score
    prompt_file: rubric.txt
    scale: [1, 5]
    judges: [{ name: ${judge}, model_name: ${judge} }]
`

describe('what was not the same of two releases', () => {
  let cwd = ''
  const BASE = {
    'benchmarks/visits/benchmark.yaml': benchmark('visits').replace(
      'protocols:',
      'errata: [{ id: copied, about: A row repeats., drop: [id3] }]\nprotocols:',
    ),
    'benchmarks/visits/data.csv': rows((row) => (row % 3 === 0 ? 'A' : 'B'), 12),
    'benchmarks/letters/benchmark.yaml': benchmark('letters'),
    'benchmarks/letters/data.csv': rows((row) => (row % 2 === 0 ? 'A' : 'B'), 12),
    'benchmarks/notes/benchmark.yaml': notes('baseline/overlap-judge'),
    'benchmarks/notes/data.csv': rows(() => 'A', 3),
    'benchmarks/notes/prompt.txt': '{question}\n',
    'benchmarks/notes/rubric.txt':
      '<response>{RESPONSE}</response>\n<rubric_criteria>{"accuracy": {"score": 0, "explanation": ""}}</rubric_criteria>\n',
    'models/first.yaml': model('first-choice'),
    'models/random.yaml': model('random-choice'),
    'models/judge.yaml':
      'model_deployments:\n  - name: own/judge\n    client_spec: {class_name: medmake.baseline, args: {name: overlap-judge}}\n',
    'models/prices.yaml':
      'prices:\n  - { deployment: own/first-choice, input: 1, output: 2, date: 2026-01-01, source: "https://example.org" }\n',
    'targets/main.conf': `entries: [${['first-choice', 'random-choice'].flatMap((name) => ['visits', 'letters', 'notes'].map((each) => `{description: "${each}:model=own/${name}"}`)).join(', ')}]\n`,
  }
  beforeAll(async () => {
    cwd = createWorkspace(BASE)
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    await medmake(['report'], { cwd })
    cpSync(join(cwd, 'benchmark_output/site'), join(cwd, 'before/site'), { recursive: true })
  })

  const conditions = (page: string): readonly (readonly (string | undefined)[])[] => {
    const table = /aria-label="What was not the same".*?<\/table>/s.exec(page)?.[0] ?? ''
    return [...table.matchAll(/<tr><th scope="row"[^>]*><a[^>]*>([^<]*)<\/a><\/th><td>([^<]*)</g)].map(
      ([, name, what]) => [name, what],
    )
  }
  const letters = BASE['benchmarks/letters/benchmark.yaml']

  it.each([
    ['nothing', {}, []],
    ['data', { 'benchmarks/letters/data.csv': rows(() => 'A', 12) }, [['The letters', 'data']]],
    [
      'how it asks',
      {
        'benchmarks/letters/benchmark.yaml': letters.replace(
          'generation,',
          'generation, instructions: Say A.,',
        ),
      },
      [['The letters', 'protocol']],
    ],
    [
      'the protocol’s version',
      { 'benchmarks/letters/benchmark.yaml': letters.replace('medmake-1', 'medmake-2') },
      [['The letters', 'protocol']],
    ],
    ['the jury', { 'benchmarks/notes/benchmark.yaml': notes('own/judge') }, [['notes', 'jury']]],
    [
      'errata',
      {
        'benchmarks/visits/benchmark.yaml': BASE['benchmarks/visits/benchmark.yaml'].replace(
          '    adapter:',
          '    apply_errata: [copied]\n    adapter:',
        ),
      },
      [['The visits', 'errata']],
    ],
    ['prices', { 'models/prices.yaml': BASE['models/prices.yaml'].replace('input: 1', 'input: 7') }, []],
    [
      'attributes',
      {
        'benchmarks/letters/benchmark.yaml': letters.replace(
          'access:',
          'attributes: { q: question }\naccess:',
        ),
      },
      [],
    ],
    [
      'which benchmarks there are',
      { 'targets/main.conf': BASE['targets/main.conf'].replaceAll(/\{description: "letters:[^}]*\}, /g, '') },
      [],
    ],
  ] as const)('tells %s as what it is', async (what, change, expected) => {
    writeFiles(cwd, { ...BASE, ...change })
    await medmake(['run'], { cwd })
    await medmake(['report', '--history', 'before'], { cwd })
    const page = readFileSync(join(cwd, 'benchmark_output/site/releases.html'), 'utf8')
    expect(conditions(page)).toEqual(expected)
    if (expected.length === 0) expect(page).toMatch(/model versions\s+and errata are the same\s*\./)
    expect(page.includes('Other prices: own/first-choice.')).toBe(what === 'prices')
    expect(page.includes('Gone benchmarks: The letters.')).toBe(what === 'which benchmarks there are')
  })
})

describe('a path at which there is nothing', () => {
  it.each([
    [['release', 'import', 'nowhere']],
    [['release', 'import', 'nowhere.tar.gz']],
    [['redact', 'nowhere']],
  ])('is told as such by %j', async (args) => {
    const { code, stderr } = await medmake(args, { cwd: createWorkspace() })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/there is nothing at .*nowhere/)])
  })
})

describe('a board with releases of before', () => {
  let cwd = ''
  let page = ''
  beforeAll(async () => {
    cwd = createWorkspace({
      'benchmarks/visits/benchmark.yaml': benchmark('visits'),
      'benchmarks/visits/data.csv': rows((row) => (row % 3 === 0 ? 'A' : 'B')),
      'benchmarks/letters/benchmark.yaml': benchmark('letters'),
      'benchmarks/letters/data.csv': rows((row) => (row % 2 === 0 ? 'A' : 'B')),
      'models/first.yaml': model('first-choice'),
      'models/random.yaml': model('random-choice'),
      'targets/main.conf': entries('first-choice'),
    })
    await medmake(['run'], { cwd })
    await medmake(['report'], { cwd })
    cpSync(join(cwd, 'benchmark_output/site'), join(cwd, 'archive/2026-09/site'), { recursive: true })
    // One benchmark asks of other visits, nearly all of which are right, and a model joins.
    writeFiles(cwd, {
      'benchmarks/visits/data.csv': rows((row) => (row === 0 ? 'B' : 'A')).replaceAll('Was', 'Is'),
      'targets/main.conf': entries('first-choice', 'random-choice'),
    })
    await medmake(['run'], { cwd })
    expect((await medmake(['report', '--history', 'archive/2026-09'], { cwd })).code).toBe(0)
    page = readFileSync(join(cwd, 'benchmark_output/site/releases.html'), 'utf8')
  })

  it('says what moved beyond noise, and that its data were not the same', () => {
    expect(page).toContain('1 of 1 score changed beyond noise, 1 on the same answers')
    const sure = /aria-label="Scores that changed beyond noise".*?<\/table>/s.exec(page)?.[0] ?? ''
    expect(sure).toContain('The visits')
    expect(sure).toContain('>unpaired: no instance in common</td><td>data</td>')
    expect(sure).not.toContain('The letters')
  })

  it('says what the changes of win rates are made of', async () => {
    cpSync(join(cwd, 'benchmark_output/site'), join(cwd, 'archive/2026-10/site'), { recursive: true })
    // Of the two models one answers otherwise, and what is right of the letters turns.
    writeFiles(cwd, { 'benchmarks/letters/data.csv': rows((row) => (row % 7 === 0 ? 'A' : 'B')) })
    await medmake(['run'], { cwd })
    await medmake(['report', '--history', 'archive/2026-09', 'archive/2026-10'], { cwd })
    const later = readFileSync(join(cwd, 'benchmark_output/site/releases.html'), 'utf8')
    const parts = /aria-label="Parts of the changes".*?<\/table>/s.exec(later)?.[0] ?? ''
    expect([...parts.matchAll(/<th scope="col"[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
      'Model',
      'Change',
      'Data',
    ])
    const [change, ...rest] = [...parts.matchAll(/<data value="([^"]*)"/g)].map(([, value]) => Number(value))
    expect(Math.abs(change ?? 0)).toBe(0.5)
    expect(rest[0]).toBe(change)
    expect(later).toContain(', by data. ')
  })

  it('keeps models that are gone in places, win rates and the table', async () => {
    writeFiles(cwd, { 'targets/main.conf': entries('first-choice') })
    await medmake(['report', '--history', 'archive/2026-10'], { cwd })
    const later = readFileSync(join(cwd, 'benchmark_output/site/releases.html'), 'utf8')
    expect(later).toMatch(/Gone: [^.]*random-choice/)
    for (const label of ['What moved', 'Win rates of all releases'])
      expect(new RegExp(`aria-label="${label}".*?</table>`, 's').exec(later)?.[0]).toContain('random-choice')
    expect(/class="drawing slope".*?<\/figure>/s.exec(later)?.[0]).toContain('random-choice')
    writeFiles(cwd, { 'targets/main.conf': entries('first-choice', 'random-choice') })
  })

  it('names the release, the model that is new, and places of both', () => {
    expect(page).toContain('Places, 2026-09 → now')
    expect(page).toMatch(/New: [^.]*random-choice/)
  })

  it('is not there without them, and refuses a folder that holds none', async () => {
    const refused = await medmake(['report', '--history', 'benchmarks'], { cwd })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('site/no-history')
    await medmake(['report'], { cwd })
    expect(readFileSync(join(cwd, 'benchmark_output/site/index.html'), 'utf8')).not.toContain('releases.html')
  })
})

it('no release tells what the body of requests has under a secret’s name', async () => {
  const server = await fakeServer({ answer: () => 'A' })
  const cwd = createWorkspace({
    ...shortBenchmark({ name: 'notes', access: 'public' }, { data: 'note,correct_answer\none,A\n' }),
    'models/fake.yaml': modelsYaml(server, ['fake/a']).replace(
      'args: {',
      'args: { body: { user: { access_token: canary } }, ',
    ),
    'targets/main.conf': 'entries: [{description: "notes:model=fake/a"}]\n',
  })
  expect((await medmake(['run'], { cwd })).code).toBe(0)
  const { code, stderr } = await medmake(['release', 'create', 'r'], { cwd })
  expect([code, stderr]).toEqual([2, expect.stringMatching(/body\.user\.access_token.*\[release\/secret\]/)])
  expect(stderr).not.toContain('canary')
  expect(existsSync(join(cwd, 'benchmark_output/releases'))).toBe(false)
})
