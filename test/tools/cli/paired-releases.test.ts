import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../tools/site/history/snapshot.ts'
import { printRelease, type ReleaseDocument } from '../../../tools/release/release-file.ts'
import { fullYaml } from '../../rig/full-yaml.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const benchmark = (name: string, access: string): string =>
  fullYaml({ name, access, cluster: 'patient', input: '{question}\\n', answer: 'yes' })

const rows = (from: number, to: number, word: string): string =>
  `question,patient\n${Array.from({ length: to - from }, (_, at) => `${word} visit ${from + at} planned?,${(from + at) % 30}`).join('\n')}\n`

/** Right of all but every fourth visit; a later version of the model is wrong of seven more. */
const CLIENT = `import { defineClient } from 'medmake'
export const client = defineClient({
  complete: async ({ messages }, { model }) => {
    const visit = Number(/visit (\\d+)/.exec(messages.at(-1)?.content ?? '')?.[1])
    const text = visit % 4 === 0 || (model === 'second' && visit % 4 === 1 && visit < 28) ? 'no' : 'yes'
    return { choices: [{ text, finishReason: 'stop' }], usage: { inputTokens: 1, outputTokens: 1 } }
  },
})
`

const model = (version: string): string => `model_deployments:
${['told', 'kept']
  .map(
    (name) => `  - name: own/${name}
    model_name: own/${name}
    max_sequence_length: 1000
    data_agreement: private
    client_spec: { class_name: workspace.clients.told, args: { base_url: "http://127.0.0.1:9", model: ${name === 'told' ? version : 'first'} } }
`,
  )
  .join('')}`

const SITE = 'benchmark_output/site'

/** Writes a site's numbers as older versions did. */
const withoutValues = (file: string): string => {
  const told = JSON.parse(readFileSync(file, 'utf8')) as readonly Snapshot[]
  const older = told.map((site) => ({
    ...site,
    instances: undefined,
    models: site.models.map((each) => ({
      ...each,
      cells: each.cells.map((cell) => cell && { ...cell, runs: undefined, profiles: undefined }),
    })),
  }))
  const text = JSON.stringify(older)
  writeFileSync(file, text)
  return text
}

describe('a rerun that is held against the site of before', () => {
  let cwd = ''
  beforeAll(async () => {
    cwd = createWorkspace({
      'benchmarks/visits/benchmark.yaml': benchmark('visits', 'public'),
      'benchmarks/visits/data.csv': rows(0, 60, 'Was'),
      'benchmarks/wards/benchmark.yaml': benchmark('wards', 'private'),
      'benchmarks/wards/data.csv': rows(0, 60, 'Had'),
      'models/clients/told.ts': CLIENT,
      'models/told.yaml': model('first'),
      'targets/main.conf':
        'entries: [{description: "visits:model=own/told"}, {description: "wards:model=own/told"}, {description: "visits:model=own/kept"}, {description: "wards:model=own/kept"}]\n',
    })
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    expect((await medmake(['report'], { cwd })).code).toBe(0)
    cpSync(join(cwd, SITE), join(cwd, 'before'), { recursive: true })
    expect((await medmake(['release', 'create', 'v1'], { cwd })).code).toBe(0)
    writeFiles(cwd, { 'models/told.yaml': model('second') })
    expect((await medmake(['run'], { cwd })).code).toBe(0)
  })

  const reported = async (history: string, ...more: readonly string[]): Promise<string> => {
    const { code, stderr } = await medmake(['report', '--history', history, ...more], { cwd })
    expect([code, stderr]).toEqual([0, expect.any(String)])
    return readFileSync(join(cwd, SITE, 'releases.html'), 'utf8')
  }
  const decided = (page: string): readonly (string | undefined)[] =>
    [...page.matchAll(/<td>((?:un)?paired[^<]*)<\/td>/g)].map(([, text]) => text)

  const expectFalls = (page: string): void => {
    expect(page).toContain('2 of 2 scores changed beyond noise, 2 on the same answers.')
    expect(decided(page)).toEqual(['paired, 60 instances', 'paired, 60 instances'])
    // scipy.stats.ttest_1samp of 30 patients' means, seven of them −0.5 and all others 0, and twice that.
    expect(page.match(/<data value="0\.0059129[^"]*">/g)).toHaveLength(2)
    expect(page.match(/<data value="0\.0118259[^"]*">/g)).toHaveLength(2)
  }

  it.each(['before', 'v1', 'benchmark_output/releases/v1/v1.tar.gz'])(
    'finds a fall of seven answers in each benchmark, public or not, from %s',
    async (history) => {
      expectFalls(await reported(history))
    },
  )

  it('reads of the runs of an older release what its site does not tell', async () => {
    cpSync(join(cwd, 'benchmark_output/releases/v1/bundle'), join(cwd, 'v0'), { recursive: true })
    const text = withoutValues(join(cwd, 'v0/site/history.json'))
    const file = join(cwd, 'v0/release.json')
    const { digest: _, ...release } = JSON.parse(readFileSync(file, 'utf8')) as ReleaseDocument
    const own = { size: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') }
    const files = release.files.map((each) =>
      each.path === 'site/history.json' ? { ...each, ...own } : each,
    )
    writeFileSync(file, printRelease({ ...release, files }).text)
    expectFalls(await reported('v0'))
  })

  it('tells of no instance that is not public', () => {
    const [site] = JSON.parse(readFileSync(join(cwd, 'before/history.json'), 'utf8')) as readonly Snapshot[]
    const runs = site?.models[0]?.cells.map((cell) => cell?.runs?.[0])
    expect(runs?.map((run) => [run?.told !== undefined, run?.kept !== undefined])).toEqual([
      [true, false],
      [false, true],
    ])
    expect(site?.instances?.map(({ ids }) => ids.length)).toEqual([60])
  })

  it('takes scores as independent where the site of before tells no values, and says so', async () => {
    cpSync(join(cwd, 'before'), join(cwd, 'older'), { recursive: true })
    withoutValues(join(cwd, 'older/history.json'))
    const page = await reported('older')
    expect(page).toContain('0 of 4 scores changed beyond noise.')
    expect(decided(page)).toEqual(Array.from({ length: 4 }, () => 'unpaired: no values before'))
  })

  it('has nothing to test where the answers are the same', async () => {
    await medmake(['report'], { cwd })
    cpSync(join(cwd, SITE), join(cwd, 'same'), { recursive: true })
    expect(await reported('same')).toContain('No score was tested, 4 on the same answers.')
  })

  it('counts the instances of both where rows came, went or changed', async () => {
    const [first = '', ...others] = rows(10, 66, 'Was').split('\n')
    writeFiles(cwd, {
      // The second of the rows is asked in other words.
      'benchmarks/visits/data.csv': [
        first,
        others[0],
        others[1]?.replace('Was', 'Is'),
        ...others.slice(2),
      ].join('\n'),
      'benchmarks/wards/data.csv': rows(0, 60, 'Has'),
    })
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    const page = await reported('before')
    expect(decided(page).toSorted((a = '', b = '') => a.localeCompare(b))).toEqual([
      // Of visits 10 to 65 14 are a fourth one, and four more before 28.
      'paired, 49 of 60 instances, over all 0.750 → 0.679',
      'paired, 49 of 60 instances, over all 0.750 → 0.750',
      'unpaired: no instance in common',
      'unpaired: no instance in common',
    ])
  })

  it('refuses a release of which a file was changed', async () => {
    cpSync(join(cwd, 'benchmark_output/releases/v1/bundle'), join(cwd, 'damaged'), { recursive: true })
    const file = join(cwd, 'damaged/site/history.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('0.75', '0.85'))
    const { code, stderr } = await medmake(['report', '--history', 'damaged'], { cwd })
    expect([code, stderr]).toEqual([1, expect.stringContaining('release/changed-file')])
  })
})
