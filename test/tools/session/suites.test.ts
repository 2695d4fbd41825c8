import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import { str } from '../../../benchmarks/python/numbers/number.ts'
import { separatedTable } from '../../../benchmarks/sources/csv/separated-table.ts'
import { readRunEntries } from '../../../targets/entries/run-entry.ts'
import { BUILT_IN_SUITES, profileOfSuites, readSuite } from '../../../tools/session/suites.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

/** A folder without suites of its own. */
const NOWHERE = '/nowhere'

const descriptions = async (suite: string): Promise<readonly string[]> =>
  (await readSuite(NOWHERE, suite)).map(({ description }) => description)

/** Names of the published costs where a display name is another. */
const PUBLISHED: Readonly<Record<string, string>> = {
  medbullets: 'MedBullets',
  mimic_bhc: 'MIMIC-BHC',
  n2c2_ct_matching: 'N2C2',
}

/** Benchmark and arguments without the model and a site's paths, arguments sorted. */
const asked = (description: string): string => {
  const [name = '', args = ''] = description.split(/:(.*)/s)
  const kept = args
    .split(',')
    .filter((arg) => arg !== '' && !/^(?:model|model_deployment|data_path)=/.test(arg))
  return `${name}:${kept.toSorted().join(',')}`
}

describe('a built-in suite', () => {
  it('holds a line of MedHELM whole or in part', async () => {
    const benchmarks = async (suite: string): Promise<number> =>
      new Set((await descriptions(suite)).map((each) => each.split(':')[0])).size
    expect(await Promise.all(BUILT_IN_SUITES.map(benchmarks))).toEqual(
      [
        [37, 16, 7, 14],
        // Of its own: SCT-Bench, MedXpertQA, HealthQA-BR, both HealthBenches and the three sets of privacy questions.
        [45, 21, 7, 17],
        [35, 14, 7, 14],
        [2],
        [3],
      ].flat(),
    )
    await expect(readSuite(NOWHERE, 'medhelm-0.9')).rejects.toThrow('targets/unknown-suite')
  })

  it('scores in the profile of its name, and not together with another', async () => {
    const profileOf = (...names: string[]) => profileOfSuites(names, NOWHERE)
    expect(await profileOf('medhelm-paper-public', 'monthly')).toBe('paper-2025')
    expect(await profileOf('medhelm-0.8', 'medhelm-0.8-gated-reasoning')).toBe('medhelm-0.8')
    expect(await profileOf('health-bench-reasoning')).toBe('helm-0.5.16')
    expect(await profileOf('monthly')).toBeUndefined()
    await expect(profileOf('medhelm-0.8', 'medhelm-0.5.16')).rejects.toThrow('targets/two-profiles')
  })

  it('leaves models that reason room to do so, and asks them the same', async () => {
    const [plain, reasoning] = [
      await descriptions('medhelm-0.8-public'),
      await descriptions('medhelm-0.8-public-reasoning'),
    ]
    expect(reasoning.every((each) => /^\w+:num_output_tokens=4000,/.test(each))).toBe(true)
    expect(reasoning.map((each) => each.replace('num_output_tokens=4000,', ''))).toEqual(plain)
  })

  it('gives way to a suite of the workspace with its name', async () => {
    const workspace = createWorkspace({ 'targets/medhelm-paper.conf': 'entries: []' })
    expect(await profileOfSuites(['medhelm-paper', 'medhelm-0.8'], workspace)).toBe('medhelm-0.8')
  })

  it.skipIf(shared('golden') === undefined).each([
    ['public', 'run_entries_medhelm_public.conf'],
    ['gated', 'run_entries_medhelm_gated.conf'],
    ['private', 'run_entries_medhelm_private_stanford.conf'],
  ])("asks what HELM's own file of the %s benchmarks asks", async (part, file) => {
    const theirs = (await readRunEntries(shared(`golden/official-inputs/${file}`) ?? ''))
      .map(({ description }) => asked(description))
      .filter((each) => !each.startsWith('health_admin_bench:'))
    const own = [
      ...(await descriptions(`medhelm-0.5.16-${part}`)),
      ...(await descriptions(`medhelm-0.5.16-${part}-reasoning`)),
    ].map(asked)
    // One model of theirs reads discharge letters with 10,000 tokens.
    const isLonger = (each: string): boolean => each.includes('num_output_tokens=10000')
    expect(new Set(own)).toEqual(new Set(theirs.filter((each) => !isLonger(each))))
  })

  it('is run, priced and shown by its name', async () => {
    const server = await fakeServer()
    const files: Files = {
      'models/fake.yaml': `${modelsYaml(server, ['fake/a'])}    tokenizer_name: openai/cl100k_base\nprices:\n  - { deployment: fake/a, input: 1, output: 1, date: 2026-01-01, source: contract }\n`,
      // Stands for the data that would be fetched.
      'benchmarks/medcalc_bench/benchmark.yaml':
        'name: medcalc_bench\naccess: public\ndescription: x\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n',
      'benchmarks/medcalc_bench/prompt.txt': '{question}',
      'benchmarks/medcalc_bench/data.csv': 'question,correct_answer\nfirst,A\n',
    }
    const cwd = createWorkspace(files)
    const words = ['medhelm-0.8-public', '--groups-to-run', 'medcalc_bench', '--models-to-run', 'fake/a']
    const none = await medmake(['run', 'medhelm-0.8-public'], { cwd })
    expect(none.code).toBe(2)
    expect(none.stderr.match(/\[targets\/no-model\]/g)).toHaveLength(1)
    const estimate = await medmake(['estimate', ...words, '--json'], { cwd })
    expect(estimate.code, estimate.stderr).toBe(0)
    expect(JSON.parse(estimate.stdout)).toMatchObject({ calls: 1 })
    const run = await medmake(['run', ...words], { cwd })
    expect(run.code, run.stderr).toBe(0)
    const report = await medmake(['report', ...words], { cwd })
    expect(report.code, report.stderr).toBe(0)
    expect(report.stdout).toContain('medhelm-0.8')
  })

  it.skipIf(shared('published') === undefined)(
    "has in the README what MedHELM published of its benchmarks' costs",
    async () => {
      const costs = separatedTable(
        readFileSync(shared('published/costs-2025-06.csv') ?? '', 'utf8'),
        'costs',
        ',',
      )
      const known = new Map(
        costs.rows.flatMap(({ cells }) => {
          const cell = (name: string): string => str(cells.get(name) ?? '').trim()
          if (cell('Model') !== 'gpt_4o_2024_05_13') return []
          const usd = (of: string): number =>
            Number(cell(`Cost ${of}Input Tokens`)) + Number(cell(`Cost ${of}Output Tokens`))
          return [[cell('Benchmark'), [usd(''), usd('Jury ')] as const]]
        }),
      )
      const all = await listBenchmarks({ workspace: '/' })
      const names = new Map(all.map(({ name, displayName }) => [name, PUBLISHED[name] ?? displayName]))
      const readme = readFileSync('README.md', 'utf8')
      // The demo's models are embedded: it costs nothing.
      for (const suite of BUILT_IN_SUITES.filter((name) => name !== 'demo')) {
        const asked = [...new Set((await descriptions(suite)).map((each) => each.split(':')[0] ?? ''))]
        const priced = asked.map((name) => known.get(names.get(name) ?? ''))
        const [model, jury] = [0, 1].map((at) =>
          Math.round(priced.reduce((sum, own) => sum + (own?.[at] ?? 0), 0)),
        )
        const [, count, ...told] =
          new RegExp(`^\\| \`${suite}\` \\| (\\d+) \\| (.+) \\| (.+) \\|$`, 'm').exec(readme) ?? []
        expect([suite, Number(count)]).toEqual([suite, asked.length])
        expect([suite, ...told.map((text) => Number(/^\d+/.exec(text)?.[0] ?? 0))]).toEqual([
          suite,
          model,
          jury,
        ])
        expect([suite, told.some((text) => text.includes('x'))]).toEqual([suite, priced.includes(undefined)])
      }
    },
  )

  it('takes its models from the settings, in verbs that have no flag for them', async () => {
    const server = await fakeServer()
    const cwd = createWorkspace({
      'medmake.yaml': 'suites: { medhelm-0.8-gated: { models: [fake/a] } }\n',
      'models/fake.yaml': modelsYaml(server, ['fake/a']),
    })
    for (const words of [
      ['explain', 'medhelm-0.8-gated'],
      ['report', 'medhelm-0.8-gated'],
      ['compare', '--suite', 'medhelm-0.8-gated'],
      ['jury', 'coverage', 'medhelm-0.8-gated'],
      ['jury', 'calibrate', '--suite', 'medhelm-0.8-gated'],
      ['rate', 'plan', 'medhelm-0.8-gated', '--raters', 'ann'],
      ['agreement', 'medhelm-0.8-gated'],
      ['release', 'create', 'v1', '--suites', 'medhelm-0.8-gated'],
      ['cluster', 'plan', 'medhelm-0.8-gated', '--tasks', '2', '--tier', 'tier'],
    ]) {
      // None of the data is here, and nothing is built: that is what each of them says, and no other thing.
      const { stderr, stdout } = await medmake(words, { cwd })
      expect([words[0], stderr + stdout]).toEqual([
        words[0],
        expect.not.stringMatching(/no-model|unknown-suite|bad-|missing-arg/),
      ])
    }
    expect(server.journal().requests).toBe(0)
  })

  it('is named where a newcomer looks', async () => {
    const cwd = createWorkspace()
    expect((await medmake(['--help'], { cwd })).stdout).toContain(
      'medhelm-0.5.16, medhelm-0.8, medhelm-paper',
    )
    const { stderr } = await medmake(['run', 'medhelm-0.8-pubic'], { cwd })
    expect(stderr).toContain('Did you mean "medhelm-0.8-public"?')
  })
})
