import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const YAML = `name: own
description: A benchmark.
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 5
metrics:
  - name: exact_match
access: public
`
const GOOD: Files = {
  'own.yaml': YAML,
  'prompt.txt': 'Note: {note}',
  'data.csv': 'note,correct_answer,incorrect_answers\na,b,"[""c""]"\n',
  'own.conf':
    'entries: [{description: "medhelm_configurable_benchmark:config_path=own.yaml,model=baseline/lead"}]\n',
}
const JURY = (judges: string, prompt = 'rubric.txt'): string =>
  YAML.replace(
    '  - name: exact_match',
    `  - name: jury_score\n    prompt_file: ${prompt}\n    judges: ${judges}`,
  )
const JUDGE = '[{name: baseline/overlap-judge, model_name: baseline/overlap-judge}]'

/** What was written wrong, in which files, the problem's code, and what its text must hold: the place, a hint. */
type Mistake = readonly [what: string, files: Files, code: string, ...parts: readonly (string | RegExp)[]]

const MISTAKES: readonly Mistake[] = [
  [
    'a placeholder that is no column',
    { 'prompt.txt': 'A\nNote: {nota}' },
    'missing-column',
    /prompt\.txt:2:\d+/,
    '"note"',
  ],
  ['an unbalanced brace', { 'prompt.txt': 'Note: {note' }, 'brace', /prompt\.txt:1:\d+/],
  ['a data set without correct_answer', { 'data.csv': 'note\na\n' }, 'column', 'data.csv', 'correct_answer'],
  [
    'bad JSON in incorrect_answers',
    { 'data.csv': 'note,correct_answer,incorrect_answers\na,b,"[""c""]"\nd,e,[f\n' },
    'benchmarks/incorrect-answers',
    'data.csv',
    'row 2',
    'incorrect_answers',
  ],
  ['a missing data set', { 'own.yaml': YAML.replace('data.csv', 'date.csv') }, 'file', 'date.csv'],
  ['an empty data set', { 'data.csv': '' }, 'empty', 'data.csv'],
  [
    'an unknown metric',
    { 'own.yaml': YAML.replace('exact_match', 'exact_mach') },
    'metric',
    /own\.yaml:7:\d+/,
    'exact_match',
  ],
  [
    'an unknown key',
    { 'own.yaml': YAML.replace('max_tokens', 'max_token') },
    'unknown-key',
    /own\.yaml:5:1/,
    'max_tokens',
  ],
  [
    'a missing key',
    { 'own.yaml': YAML.replace('description: A benchmark.\n', '') },
    'missing-key',
    'own.yaml',
    'description',
  ],
  ['YAML that is none', { 'own.yaml': 'name: [own\n' }, 'yaml', /own\.yaml:\d+:\d+/],
  ['a missing judge prompt', { 'own.yaml': JURY(JUDGE) }, 'file', 'rubric.txt'],
  [
    'a judge prompt without rubric',
    { 'own.yaml': JURY(JUDGE), 'rubric.txt': 'Judge {RESPONSE}.' },
    'rubric',
    'rubric.txt',
  ],
  [
    'a rubric that is no JSON',
    { 'own.yaml': JURY(JUDGE), 'rubric.txt': '{RESPONSE}\n<rubric_criteria>\n{"a": {]}\n</rubric_criteria>' },
    'rubric',
    /rubric\.txt:\d+/,
  ],
  [
    'an unknown judge',
    {
      'own.yaml': JURY('[{name: who/knows, model_name: who/knows}]'),
      'rubric.txt': '{RESPONSE} <rubric_criteria>{"a": {"score": 0}}</rubric_criteria>',
    },
    'models/unknown-judge',
    /own\.yaml:\d+:\d+ metrics\[0\]\.judges\[0\]\.name: .*who\/knows/,
  ],
  [
    'a scale that is no pair',
    {
      'own.yaml': JURY(`${JUDGE}\n    scale: 1-5`),
      'rubric.txt': '{RESPONSE} <rubric_criteria>{"a": {"score": 0}}</rubric_criteria>',
    },
    'benchmarks/bad-value',
    'the least and the greatest score',
  ],
  [
    'two benchmarks of one name',
    {
      'twin.yaml': YAML.replace('max_tokens: 5', 'max_tokens: 6'),
      'own.conf':
        'entries: [\n{description: "medhelm_configurable_benchmark:config_path=own.yaml,model=baseline/lead"}\n{description: "medhelm_configurable_benchmark:config_path=twin.yaml,model=baseline/lead"}]',
    },
    'targets/duplicate-name',
    'own:model=baseline_lead',
  ],
  [
    'two settings of one run',
    {
      'own.conf':
        'entries: [\n{description: "medhelm_configurable_benchmark:config_path=own.yaml,model=baseline/lead"}\n{description: "medhelm_configurable_benchmark:increase_max_tokens=3,config_path=own.yaml,model=baseline/lead"}]',
    },
    'targets/duplicate-name',
    'with different settings: max_tokens 5 and 8',
  ],
  [
    'an unknown model',
    { 'own.conf': GOOD['own.conf']?.replace('lead', 'laed') ?? '' },
    'models/unknown',
    /own\.conf:1:\d+/,
    'baseline/lead',
  ],
  [
    'an unknown benchmark',
    { 'own.conf': 'entries: [\n{description: "pubmed_q:model=baseline/lead"}]' },
    'benchmarks/unknown',
    /own\.conf:2:\d+/,
    'pubmed_qa',
  ],
  ['a bracket too few', { 'own.conf': 'entries: [{description: "a"}' }, 'config/hocon', 'own.conf:1'],
  ['an include', { 'own.conf': 'include "x.conf"\n' }, 'config/hocon', /own\.conf:1:1/],
  [
    'bytes that are no UTF-8',
    { 'data.csv': 'note,correct_answer\n\u0000LATIN1\u0000,b\n' },
    'benchmarks/not-utf8',
    'data.csv',
  ],
  [
    'a bad deployment',
    {
      'prod_env/model_deployments.yaml':
        'model_deployments:\n  - name: x/y\n    client_spec: {class_nam: z}\n',
    },
    'unknown-key',
    /model_deployments\.yaml:3:\d+/,
    'class_name',
  ],
]

const tree = (root: string): readonly string[] =>
  (readdirSync(root, { recursive: true }) as string[]).toSorted()

describe("a user's mistake ends with exit code 2, its place and a remedy, and leaves nothing behind:", () => {
  it.each(MISTAKES.map((mistake) => [mistake[0], mistake] as const))(
    '%s',
    async (_what, [, files, code, ...parts]) => {
      const root = createWorkspace({ ...GOOD, ...files })
      if (code === 'benchmarks/not-utf8') {
        const { writeFileSync } = await import('node:fs')
        writeFileSync(`${root}/data.csv`, Buffer.from('note,correct_answer\ncaf\xe9,b\n', 'latin1'))
      }
      const before = tree(root)
      const result = await medmake(['run', '--conf-paths', 'own.conf'], { cwd: root })
      expect(result.stderr).toContain(code)
      expect(result.code).toBe(2)
      for (const part of parts) expect(result.stderr).toMatch(part)
      expect(result.stderr).not.toMatch(/\n\s+at /)
      expect(tree(root)).toEqual(before)
    },
  )

  it.each([
    [['run', '-m', 'ten', '--conf-paths', 'own.conf'], 'cli/bad-flag'],
    [['run', 'nosuite'], 'targets/unknown-suite'],
    [['run', '--plugins', 'x'], 'cli/unsupported-flag'],
    [['summarize', '--summarizer-class-name', 'own.Summarizer'], 'cli/unsupported-flag'],
    [['summarize', '--log-config', 'log.yaml'], 'cli/unsupported-flag'],
    [['explain', 'nothing', '--conf-paths', 'own.conf'], 'cli/unknown-run'],
    [['cache', 'sweep'], 'cli/unknown-command'],
  ])('%s', async (args, code) => {
    const root = createWorkspace(GOOD)
    const before = tree(root)
    const result = await medmake(args, { cwd: root })
    expect(result).toMatchObject({ code: 2 })
    expect(result.stderr).toContain(code)
    expect(tree(root)).toEqual(before)
  })

  it('a suite of which there are HELM’s files alone is shown by other verbs', async () => {
    const root = createWorkspace({ ...GOOD, 'other/runs/v1/run/stats.json': '[]' })
    const { code, stderr } = await medmake(['report', 'v1', '--output-path', 'other'], { cwd: root })
    expect(code).toBe(2)
    expect(stderr).toMatch(/`medmake serve --suite v1 --output-path \S+\/other` shows them/)
  })

  it('an unknown benchmark among others is named, and the others are run', async () => {
    const unknown = 'health_admin:model=baseline/lead'
    const entries = `entries: [\n{description: "${unknown}"}\n{description: "demo_multiple_choice:model=baseline/first-choice"}]`
    const root = createWorkspace({ 'targets/own.conf': entries })
    const strict = await medmake(['run', '--exit-on-error'], { cwd: root })
    expect(strict).toMatchObject({ code: 2, stdout: '' })
    const dry = await medmake(['run', '--dry-run'], { cwd: root })
    expect(dry.code).toBe(1)
    const { code, stdout, stderr } = await medmake(['run'], { cwd: root })
    expect(code).toBe(1)
    expect(stdout).toContain('1 target: 0 fresh, 1 built')
    expect(stderr).toMatch(/own\.conf:2:\d+.*there is no benchmark "health_admin" \[benchmarks\/unknown\]/)
    expect(stderr).toContain(`left out, as its benchmark is unknown or can't be run here: ${unknown}`)
    expect(JSON.parse((await medmake(['run', '--json'], { cwd: root })).stdout)).toMatchObject({
      unknown: [unknown],
    })
    expect((await medmake(['report'], { cwd: root })).code).toBe(1)
  })

  it('an unknown verb or flag gets a suggestion', async () => {
    const root = createWorkspace()
    const verb = await medmake(['rum'], { cwd: root })
    expect(verb).toMatchObject({ code: 2 })
    expect(verb.stderr).toContain('Did you mean "run"?')
    for (const name of ['helm-run', 'medhelm-run'])
      expect((await medmake([name, '--suite', 'x'], { cwd: root })).stderr).toContain('`medmake run`')
    const flag = await medmake(['run', '--sutie', 'x'], { cwd: root })
    expect(flag).toMatchObject({ code: 2 })
    expect(flag.stderr).toContain('--suite')
  })

  it.each([
    ['rate plam', 'plan'],
    ['jury agrement', 'agreement'],
    ['cache stat', 'stats'],
    ['cache constructor', undefined],
    ['cluster submitt', 'submit'],
    ['data fetsh', 'fetch'],
    ['release verfy v1', 'verify'],
    ['models chek fake/a', 'check'],
  ])('an unknown command gets a suggestion: %s', async (words, meant) => {
    const { code, stdout, stderr } = await medmake(words.split(' '), { cwd: createWorkspace() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    if (meant === undefined) expect(stderr).toContain('is no command')
    else expect(stderr).toContain(`Did you mean "${meant}"?`)
  })

  it.each(['rate', 'jury', 'cache', 'cluster', 'data', 'release'])(
    'a command that is missing is asked for, with those that there are: %s',
    async (verb) => {
      const { code, stderr } = await medmake([verb], { cwd: createWorkspace() })
      expect(code).toBe(2)
      expect(stderr).toMatch(
        new RegExp(`medmake ${verb} wants a command.*\\n.*Use medmake ${verb} \\w+, medmake ${verb}`),
      )
    },
  )

  it('helm-run refuses a model of --models-to-run that nobody declares, as HELM does, and runs nothing of another', async () => {
    const root = createWorkspace()
    const words = ['-d', '-m', '2', '-r', 'demo_multiple_choice:model=baseline/lead', '--models-to-run']
    const unknown = await medmake([...words, 'baseline/laed'], { cwd: root }, 'helm-run')
    expect([unknown.code, unknown.stdout]).toEqual([2, ''])
    expect(unknown.stderr).toContain('no model or deployment is named baseline/laed [models/unknown]')
    expect(unknown.stderr).toContain('Did you mean "baseline/lead"?')
    const other = await medmake([...words, 'baseline/first-choice'], { cwd: root }, 'helm-run')
    expect([other.code, other.stdout]).toEqual([0, expect.stringContaining('0 targets') as string])
  })

  it('helm-run without --max-eval-instances says that it is required', async () => {
    const root = createWorkspace(GOOD)
    const result = await medmake(['--conf-paths', 'own.conf'], { cwd: root }, 'helm-run')
    expect(result).toMatchObject({ code: 2 })
    expect(result.stderr).toContain('--max-eval-instances')
    const { stdout } = await medmake(['--help'], { cwd: root }, 'helm-run')
    expect(stdout).toMatch(
      /^Usage: helm-run \[options\]\n[^]*of each run; required\n[^]*Example:\n {2}helm-run --conf/,
    )
  })
})
