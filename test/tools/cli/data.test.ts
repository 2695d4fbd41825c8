import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { restrictedNames } from '../../../tools/session/tier/sealed.ts'
import { medmake, type CliResult } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const CSV = 'cache/data/shc_gip_med/medhelm-GIP-dataset_filtered.csv'
const mirror = shared('mirror')

interface Status {
  readonly name: string
  readonly condition: string
  readonly variants: readonly { readonly problems: readonly { readonly where: object }[] }[]
}

const status = async (cwd: string, ...names: readonly string[]): Promise<readonly Status[]> => {
  const { stdout } = await medmake(['data', 'status', ...names, '--json'], { cwd })
  return (JSON.parse(stdout) as { benchmarks: readonly Status[] }).benchmarks
}

const one = async (cwd: string, name: string): Promise<CliResult> =>
  medmake(['data', 'status', name], { cwd })

describe('data status', () => {
  test('lists every benchmark; the demo is ready, other data is missing', async () => {
    const found = await status(createWorkspace())
    expect(found.length).toBeGreaterThanOrEqual(40)
    const ready = found.filter(({ condition }) => condition === 'ready').map(({ name }) => name)
    expect(ready).toEqual(['demo_clinical_calculations', 'demo_multiple_choice', 'demo_patient_summaries'])
    expect(found.filter(({ condition }) => condition === 'mismatched')).toEqual([])
    const lines = (await medmake(['data', 'status'], { cwd: createWorkspace() })).stdout.trim().split('\n')
    expect(lines.slice(0, 2)).toEqual(['3 benchmarks ready', `    ${ready.join(', ')}`])
    expect(lines.at(-1)).toMatch(/^3 ready, \d\d missing, 0 mismatched$/)
    for (const { name } of found) expect(lines.join('\n')).toMatch(new RegExp(`    (.*, )?${name}(,|$)`, 'm'))
    expect(lines.length).toBeLessThan(20)
  })

  test('shows the other benchmarks where a declaration and a suite are faulty, as other lists do', async () => {
    const cwd = createWorkspace({
      'benchmarks/bad/benchmark.yaml': 'name: bad\ndescripton: x\n',
      'targets/broken.conf': 'entries: [',
    })
    const { stdout, stderr, code } = await medmake(['data', 'status'], { cwd })
    expect([code, stdout, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^bad  private  mismatched\n.*benchmark\.yaml:2 descripton[^]*3 ready, \d\d missing, 1 mis/,
      ),
      expect.stringMatching(/suite broken\nerror .*broken\.conf/),
    ])
    const listed = await medmake(['benchmark', 'show', '--json'], { cwd })
    expect([listed.code, listed.stderr]).toEqual([
      1,
      expect.stringMatching(/^left out, as its declaration is faulty: bad\nerror .*descripton/),
    ])
    expect(listed.stdout).toContain('"pubmed_qa"')
    writeFileSync(join(cwd, 'board.csv'), 'Model,pubmed_qa\na,0.5\nb,0.4\n')
    const file = await medmake(['analyze', 'board.csv'], { cwd })
    expect([file.code, file.stderr]).toEqual([1, expect.stringMatching(/^left out, as .*: bad\n/)])
    expect(file.stdout).toContain('Macro-average')
    const { stdout: checks } = await medmake(['doctor'], { cwd })
    expect(checks).toContain('note    benchmarks: bad has a faulty declaration')
    expect([...(await restrictedNames(cwd))]).toEqual(expect.arrayContaining(['bad', 'ehrshot']))
  })

  test('says what to request, from whom, and where every file goes', async () => {
    const cwd = createWorkspace()
    const { stdout, code } = await one(cwd, 'dischargeme')
    expect(code).toBe(0)
    expect(stdout).toContain('Request "Discharge Me!" 1.3 from PhysioNet (https://physionet.org/')
    for (const name of ['diagnosis', 'triage', 'discharge', 'radiology', 'edstays', 'discharge_target'])
      expect(stdout).toContain(
        join(cwd, `cache/data/dischargeme/files/discharge-me/1.3/test_phase_1/${name}.csv.gz`),
      )
  })

  test('says how public data is downloaded', async () => {
    const { stdout } = await one(createWorkspace(), 'pubmed_qa')
    expect(stdout).toContain('medmake data fetch pubmed_qa')
    // Of one part there is no count of parts.
    expect(stdout).toMatch(/^pubmed_qa +public +missing$/m)
  })

  test('finds data in its place', async () => {
    const cwd = createWorkspace({ [CSV]: 'prompt,context,label\nq,c,A\n' })
    expect((await status(cwd, 'shc_gip_med'))[0]?.condition).toBe('ready')
  })

  test("looks where the workspace's suites say that the data lies", async () => {
    const files = { 'elsewhere.csv': 'prompt,context,label\nq,c,A\n' }
    const suite = (path: string) =>
      `entries: [{ description: "shc_gip_med:data_path=${path},model=simple/model1", priority: 1 }]`
    const cwd = createWorkspace({ ...files, 'targets/main.conf': suite('elsewhere.csv') })
    expect((await status(cwd, 'shc_gip_med'))[0]?.condition).toBe('ready')
    const other = createWorkspace({
      ...files,
      [CSV]: files['elsewhere.csv'],
      'targets/main.conf': suite('gone.csv'),
    })
    expect((await status(other, 'shc_gip_med'))[0]?.condition).toBe('missing')
  })

  test('of a file that a declaration names and is gone does not say to put the declaration there', async () => {
    const { 'benchmarks/notes/prompt.txt': _, ...rest } = shortBenchmark({ name: 'notes' }, { data: '' })
    const { stdout } = await one(createWorkspace(rest), 'notes')
    expect(stdout).toContain('the prompt file "prompt.txt" does not exist')
    expect(stdout).not.toContain('put it there')
  })

  test('names the column that is missing', async () => {
    const { stdout, code } = await one(
      createWorkspace({ [CSV]: 'prompt,contxt,label\nq,c,A\n' }),
      'shc_gip_med',
    )
    expect(code).toBe(1)
    expect(stdout).toContain('mismatched')
    expect(stdout).toContain('needs a column "context"')
    expect(stdout).toContain('Did you mean "contxt"?')
  })

  test('names the row whose label is none of the options', async () => {
    const cwd = createWorkspace({ [CSV]: 'prompt,context,label\nq,c,A\nq2,c,yes\n' })
    const [found] = await status(cwd, 'shc_gip_med')
    expect(found?.condition).toBe('mismatched')
    expect(found?.variants[0]?.problems[0]?.where).toEqual({
      file: join(cwd, CSV),
      row: 2,
      line: 3,
      field: 'label',
    })
  })

  test('tells the variants of a benchmark apart', async () => {
    const cwd = createWorkspace()
    mkdirSync(join(cwd, 'cache/data/clear'), { recursive: true })
    writeFileSync(join(cwd, 'cache/data/clear/chronic_pain.xlsx'), 'no workbook')
    const { stdout } = await one(cwd, 'clear')
    expect(stdout).toContain('mismatched, 0 of 13 ready')
    expect(stdout).toContain('benchmarks/xlsx')
    expect(stdout).toContain(join(cwd, 'cache/data/clear/unemployment.xlsx'))
  })

  test('leaves no trace in the workspace', async () => {
    const cwd = createWorkspace()
    await one(cwd, 'pubmed_qa')
    expect(readdirSync(cwd)).toEqual(['medmake.yaml'])
  })

  test('knows the name that was meant', async () => {
    const { stderr, code } = await one(createWorkspace(), 'pubmedqa')
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean "pubmed_qa"?')
  })
})

describe('data fetch', () => {
  test.skipIf(mirror === undefined)('takes public data from a mirror', async () => {
    const cwd = createWorkspace()
    const { stdout, code } = await medmake(
      ['data', 'fetch', 'medbullets', 'pubmed_qa', '--mirror', mirror ?? ''],
      { cwd },
    )
    expect(code).toBe(0)
    expect(stdout).toMatch(/medbullets +here\npubmed_qa +here/)
  })

  test('says for gated data what to request, and gets the rest', async () => {
    const { stderr, stdout, code } = await medmake(['data', 'fetch', 'medalign', 'demo_multiple_choice'], {
      cwd: createWorkspace(),
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/demo_multiple_choice +here\nmedalign +failed/)
    expect(stderr).toContain('Request MedAlign')
  })
})

test.skipIf(mirror === undefined)(
  'a dry run and an estimate write no line of datasets.lock; a run does',
  async () => {
    const cwd = createWorkspace({
      'targets/main.conf': 'entries: [{description: "medbullets:model=baseline/first-choice"}]',
    })
    const asked = ['-m', '1', '--mirror', mirror ?? '']
    const lock = join(cwd, 'benchmarks/datasets.lock')
    for (const args of [['run', '--dry-run'], ['estimate']]) {
      const { code, stderr } = await medmake([...args, ...asked], { cwd })
      expect([code, existsSync(lock)], stderr).toEqual([0, false])
    }
    expect((await medmake(['run', ...asked], { cwd })).code).toBe(0)
    expect(existsSync(lock)).toBe(true)
  },
)

describe('taxonomy', () => {
  test('takes a built-in suite without a model, and names an entry that nobody knows', async () => {
    const cwd = createWorkspace({
      'targets/own.conf': 'entries: [{description: "shc_bmt:model=baseline/lead"}]',
    })
    const built = await medmake(['taxonomy', 'medhelm-0.8-gated'], { cwd })
    expect([built.code, built.stdout]).toEqual([0, expect.stringMatching(/ medalign\*/)])
    const own = await medmake(['taxonomy', 'own'], { cwd })
    expect([own.code, own.stderr]).toEqual([
      1,
      expect.stringContaining('left out, as it is unknown: shc_bmt'),
    ])
  })

  test('shows the five categories and 22 subcategories with their benchmarks', async () => {
    const { stdout, code } = await medmake(['taxonomy', '--json'], { cwd: createWorkspace() })
    expect(code).toBe(0)
    const { subcategories } = JSON.parse(stdout) as {
      subcategories: readonly {
        category: string
        tasks: unknown[]
        benchmarks: { name: string; needs?: string }[]
      }[]
    }
    expect(subcategories).toHaveLength(22)
    expect(new Set(subcategories.map(({ category }) => category)).size).toBe(5)
    expect(subcategories.every(({ benchmarks }) => benchmarks.length > 0)).toBe(true)
    expect(subcategories.flatMap(({ tasks }) => tasks)).toEqual([])
    // MedHELM's 37, the thirteen of its later line and the three of the demo: each stands in one place.
    const shown = subcategories.flatMap(({ benchmarks }) => benchmarks)
    expect(shown).toHaveLength(53)
    expect(shown.filter(({ needs }) => needs !== undefined).map(({ name }) => name)).toEqual([
      'radiology',
      'vqa_rad',
      'mental_disorders',
      'health_admin_bench',
    ])
  })

  test('says what the suites leave uncovered', async () => {
    const cwd = createWorkspace({
      'targets/own.conf': 'entries: [{description: "pubmed_qa:model=baseline/lead", priority: 1}]\n',
    })
    const { stdout } = await medmake(['taxonomy'], { cwd })
    expect(stdout).toContain('pubmed_qa*')
    // A category is named once, before its first line.
    expect(stdout.match(/^Medical Research Assistance$/gm)).toHaveLength(1)
    expect(stdout).toContain('1 of 22 subcategories are covered by suites (suites: own;')
    expect(stdout).toContain('  Medical Research Assistance: Analyzing Clinical Research Data')
    expect(stdout).not.toContain('  Medical Research Assistance: Conducting Literature Research')
    // Not every declaration names whom to ask.
    const [, all, contacts] = /source, of (\d+) benchmarks: .*, contact (\d+)/.exec(stdout) ?? []
    expect(Number(contacts)).toBeLessThan(Number(all))
  })

  test('names benchmarks that stand nowhere in it, and what a mistyped place meant', async () => {
    const benchmark = (place: string): string =>
      `name: x\ndescription: d\nprompt_file: p.txt\ndataset_file: d.csv\nmax_tokens: 1\nmetrics: [{name: exact_match}]\n${place}`
    const cwd = createWorkspace({
      'benchmarks/x/benchmark.yaml': benchmark('category: Clinical Decison Support\n'),
      'benchmarks/x/p.txt': '{note}',
      'benchmarks/x/d.csv': 'note,correct_answer\na,b\n',
    })
    const { stderr, code } = await medmake(['taxonomy'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain(
      'x: no category "Clinical Decison Support". Did you mean "Clinical Decision Support"?',
    )
  })
})
