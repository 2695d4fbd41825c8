import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRegistry } from '../../../models/registry/registry.ts'
import { readCards } from '../../../tools/release/assemble.ts'
import { digestFile } from '../../../tools/release/bundle/list-files.ts'
import { printRelease, readRelease } from '../../../tools/release/release-file.ts'
import { releasedRun } from '../../../tools/release/released-run.ts'
import { cardPath, printCard, readCard } from '../../../tools/release/run-card.ts'
import { fullYaml } from '../../rig/full-yaml.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'
import { modelPath } from '../../../tools/site/paths.ts'

const MODELS = ['fake/a', 'fake/b', 'fake/c']

/** 24 visits of 23 patients, 12 by women, 10 in the heart clinic, 3 of a ward that would name them. */
const visits = (name: string, access: string, category: string): Files => ({
  [`benchmarks/${name}/data.csv`]: `question,answer,patient,sex,clinic,ward\n${Array.from(
    { length: 24 },
    (_, row) =>
      `Was visit ${row} of ${name} planned?,${row % 3 === 0 ? 'A' : 'B'},patient-${row === 23 ? 21 : row},` +
      `${row % 2 ? 'female' : 'male'},${row < 10 ? 'heart' : 'lung'},${[0, 1, 12].includes(row) ? `canary-${name}` : 'large'}\n`,
  ).join('')}`,
  [`benchmarks/${name}/benchmark.yaml`]: fullYaml({
    name,
    access,
    cluster: 'patient',
    top: [
      'attributes: { sex: sex, clinic: clinic, ward: ward }',
      `category: ${category}`,
      'coverage_floor: 0.9',
    ],
  }),
})

const judged = (name: string, access: string): Files =>
  shortBenchmark(
    { name, access, judges: ['fake/one', 'fake/other'] },
    {
      prompt: 'Read: {note}',
      data: `note,correct_answer\n${Array.from({ length: 14 }, (_, row) => `${name} ${row},answer\n`).join('')}`,
    },
  )

const suite = (...benchmarks: readonly string[]): string =>
  `entries: [${benchmarks.flatMap((name) => MODELS.map((model) => `{description: "${name}:model=${model}"}`)).join(', ')}]`

let root: string
const run = (...args: readonly string[]) => medmake(args, { cwd: root })
const bundle = (): string => join(root, 'benchmark_output/releases/r/bundle')
const boardsAt = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'board.json'), 'utf8')) as readonly {
    readonly benchmarks: readonly { readonly name: string; readonly category?: string }[]
    readonly rows: readonly {
      readonly rank: object | null
      readonly cells: readonly { readonly groups: string; readonly intervalMethod: string }[]
    }[]
  }[]

beforeAll(async () => {
  const server = await fakeServer()
  root = createWorkspace({
    'models/fake.yaml': modelsYaml(server, [...MODELS, 'fake/one', 'fake/other']),
    'models/prices.yaml':
      'prices: [{ deployment: fake/a, input: 3, output: 15, date: 2026-04-05, source: contract }]\n',
    ...visits('planned', 'public', 'Administration and Workflow'),
    ...visits('kept', 'private', 'Clinical Decision Support'),
    ...judged('summaries', 'public'),
    ...judged('wards', 'private'),
    'targets/open.conf': suite('summaries', 'planned'),
    'targets/mixed.conf': suite('wards', 'planned', 'kept'),
  })
  expect(await run('run')).toMatchObject({ code: 0 })
  expect(await run('report')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('release', 'create', 'r', '--suites', 'mixed', 'open')).toMatchObject({
    code: 0,
    stderr: '',
  })
})

describe('the site of a release', () => {
  it('shows the boards of the report: cells, intervals, letters, places, categories, costs', () => {
    const reported = boardsAt(join(root, 'benchmark_output/site'))
    const released = boardsAt(join(bundle(), 'site'))
    expect(released).toEqual(reported)
    for (const { benchmarks, rows } of released)
      for (const { rank, cells } of rows) {
        expect(rank).not.toBeNull()
        expect(cells.every(({ groups }) => groups !== '')).toBe(true)
        for (const [column, { name }] of benchmarks.entries())
          if (name === 'kept' || name === 'planned')
            expect(cells[column]?.intervalMethod).toContain('CR2 over 23 sources')
      }
    expect(released[0]?.benchmarks.map(({ category }) => category)).toEqual([
      'Clinical Decision Support',
      'Administration and Workflow',
      undefined,
    ])
  })

  it('tells what a model’s price was', () => {
    const page = readFileSync(join(bundle(), 'site', modelPath('mixed', 'fake/a')), 'utf8')
    expect(page).toMatch(/<dt>Price<\/dt><dd>[^<]*2026-04-05/)
  })

  it('shows the juries without each judge as the report does', () => {
    const judges = (site: string): string => {
      const page = readFileSync(join(site, 'judges.html'), 'utf8')
      return page.slice(page.indexOf('<h2 id="without">'), page.indexOf('</main>'))
    }
    const released = judges(join(bundle(), 'site'))
    expect(released).toContain('Without fake/one')
    expect(released).toBe(judges(join(root, 'benchmark_output/site')))
  })

  it('names no source and holds no value of a withheld benchmark', () => {
    const card = readFileSync(join(bundle(), 'records/mixed/kept:model=fake_a.json'), 'utf8')
    expect(card).not.toContain('patient-')
    expect(JSON.parse(card)).not.toHaveProperty('record.sources')
    const open = JSON.parse(
      readFileSync(join(bundle(), 'records/open/planned:model=fake_a.json'), 'utf8'),
    ) as { readonly record: { readonly sources: { readonly instances: readonly unknown[] } } }
    expect(JSON.stringify(open)).not.toContain('patient-')
    expect(open.record.sources).toMatchObject({ by: 'patient' })
    expect(open.record.sources.instances).toHaveLength(23)
  })

  it('shows scores by attribute as the report does, of withheld values where each group has eleven instances', () => {
    const tablesAt = (site: string): readonly string[] =>
      readdirSync(join(site, 'subgroups'))
        .sort()
        .map((file) => readFileSync(join(site, 'subgroups', file), 'utf8'))
    const reported = tablesAt(join(root, 'benchmark_output/site'))
    const released = tablesAt(join(bundle(), 'site'))
    const isSmall = (line: string): boolean => /,kept,exact_match,clinic,/.test(line)
    expect(reported.join('').split('\r\n').filter(isSmall)).toHaveLength(6)
    expect(released).toEqual(
      reported.map((text) =>
        text
          .split('\r\n')
          .filter((line) => !isSmall(line))
          .join('\r\n'),
      ),
    )
    const rows = released.join('').split('\r\n')
    expect(rows.filter((line) => line.includes(',kept,exact_match,sex,female,'))).toHaveLength(3)
    expect(rows.filter((line) => line.includes(',planned,exact_match,ward,canary-planned,'))).toHaveLength(6)
  })

  it('holds no label of a withheld group', () => {
    const texts = readdirSync(bundle(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
    expect(texts).toContain('canary-planned')
    expect(texts).not.toContain('canary-kept')
  })

  it('of an older version has no groups, and is read all the same', async () => {
    const copy = join(temporaryFolder(), 'older')
    cpSync(bundle(), copy, { recursive: true })
    const [card = ''] = (await readCards(copy)).flatMap(({ suite: own, name, record }) =>
      record.attributes === undefined ? [] : [cardPath(own, name)],
    )
    const { record, ...rest } = await readCard(copy, card)
    const { attributes: _attributes, ...older } = record
    writeFileSync(join(copy, card), printCard({ ...rest, record: older }))
    const read = await releasedRun(copy, await readCard(copy, card), createRegistry([], []), undefined)
    expect((await read.instanceGroups?.())?.groups).toEqual(new Map())
  })

  it('is verified and reproduced to the byte', async () => {
    expect(await run('release', 'verify', 'r')).toMatchObject({ code: 0, stderr: '' })
    expect(await run('release', 'reproduce', 'r')).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('verify', () => {
  /** A copy whose digests are right, but for the ranking that someone changed. */
  const forged = async (change: (text: string) => string): Promise<string> => {
    const copy = join(temporaryFolder(), 'copy')
    cpSync(bundle(), copy, { recursive: true })
    const file = join(copy, 'ranking.json')
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    const { digest: _digest, ...release } = await readRelease(bundle())
    const changed = await digestFile(copy, 'ranking.json')
    const files = release.files.map((each) => (each.path === 'ranking.json' ? changed : each))
    writeFileSync(join(copy, 'release.json'), printRelease({ ...release, files }).text)
    return copy
  }

  const changedPlace = (ranking: string, suite: string): string => {
    const from = ranking.indexOf(`"suite": "${suite}"`)
    return ranking.slice(0, from) + ranking.slice(from).replace(/"first": [\d.]+/, '"first": 0.123')
  }

  it('reckons anew what the runs give of the ranking', async () => {
    const copy = await forged((text) => changedPlace(text, 'open'))
    const result = await run('release', 'verify', copy)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('ranking.json differs from what the runs give')
  })

  it('says what rests on withheld values', async () => {
    const result = await run('release', 'verify', 'r')
    expect(result.stdout).toContain(
      'mixed: the letters and subgroups of kept, wards and all places rest on withheld values',
    )
    expect(result.stdout).not.toContain('open: ')
  })

  it('finds a place that the withheld values gave and the site does not show', async () => {
    const copy = await forged((text) => changedPlace(text, 'mixed'))
    const result = await run('release', 'verify', copy)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('site/board.json differs from what the runs give')
  })
})
