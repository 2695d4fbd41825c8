import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const metric = (name: string): string =>
  `export const metric = { measures: [{ name: '${name}' }], evaluate: () => ({ ${name}: 1 }) }\n`

const files = (own: Files, metrics = 'metrics: [{name: exact_match}]'): Files => ({
  'benchmarks/plain/benchmark.yaml': `name: plain\ndescription: Plain.\naccess: public\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\n${metrics}\n`,
  'benchmarks/plain/prompt.txt': 'Repeat: {line}',
  'benchmarks/plain/data.csv': 'line,correct_answer\none,one\n',
  'targets/main.conf': 'entries: [{description: "plain:model=baseline/lead"}]',
  ...own,
})

describe("a workspace's metric with the name of a built-in one", () => {
  it.each(['exact_match', 'rouge_l'])('is not passed over in silence: %s', async (name) => {
    const cwd = createWorkspace(
      files({ [`targets/metrics/${name}.ts`]: metric(name) }, `metrics: [{name: ${name}}]`),
    )
    const refused = await medmake(['run'], { cwd, isFresh: true })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(`${name} is the name of a built-in metric`)
    expect(refused.stderr).toContain(`targets/metrics/${name}.ts`)
    expect(refused.stderr).toContain('another name')
    expect(refused.stderr).toContain('[benchmarks/metric-name-taken]')
  })

  it('is told where no declaration names it, and keeps no benchmark of ours from being run', async () => {
    const cwd = createWorkspace(
      files({ 'targets/metrics/exact_match.ts': metric('exact_match') }, 'metrics: [{name: rouge_l}]'),
    )
    expect(await medmake(['run'], { cwd, isFresh: true })).toMatchObject({ code: 0 })
    const ours = ['run', '-r', 'demo_multiple_choice:model=baseline/lead', '--suite', 'demo']
    expect(await medmake(ours, { cwd, isFresh: true })).toMatchObject({ code: 0 })
    const listed = await medmake(['metrics', 'exact_match'], { cwd, isFresh: true })
    expect(listed.stderr).toContain('exact_match is the name of a built-in metric')
    expect(listed.stdout).not.toContain('targets/metrics/exact_match')
    expect((await medmake(['doctor'], { cwd, isFresh: true })).stdout).toContain(
      'note    code: exact_match is the name',
    )
  })

  it('is no name taken where the file holds what a metric imports', async () => {
    const cwd = createWorkspace(
      files(
        {
          'targets/metrics/exact_match.ts': 'export const one = 1\n',
          'targets/metrics/mine.ts': `import { one } from './exact_match.ts'\n${metric('mine').replace('mine: 1', 'mine: one')}`,
        },
        'metrics: [{name: mine}, {name: exact_match}]',
      ),
    )
    expect(await medmake(['run'], { cwd, isFresh: true })).toMatchObject({ code: 0 })
    expect((await medmake(['metrics', 'mine'], { cwd, isFresh: true })).stderr).toBe('')
  })
})

it.each(['metric', 'annotator'])(
  'a file that exports no %s, and that none imports, is told',
  async (kind) => {
    const file = `targets/${kind}s/lost.ts`
    const cwd = createWorkspace(files({ [file]: 'export default {}\n' }))
    for (const verb of ['metrics', 'doctor']) {
      const { stdout, stderr } = await medmake([verb], { cwd, isFresh: true })
      expect(stdout + stderr).toContain(`${file} exports no \`${kind}\``)
    }
  },
)

it('code that two files define, or that is broken, ends nothing that does not use it', async () => {
  const cwd = createWorkspace(
    files({
      'targets/metrics/twice.ts': metric('twice'),
      'targets/metrics/twice.js': metric('twice'),
      'targets/metrics/broken.ts': metric('broken') + ')',
      'targets/metrics/kept_words.ts': metric('kept_words'),
    }),
  )
  const { code, stderr } = await medmake(['run'], { cwd, isFresh: true })
  expect(code, stderr).toBe(0)
  const listed = await medmake(['metrics', 'kept'], { cwd, isFresh: true })
  expect(listed.stdout).toMatch(/^kept_words /m)
  expect(listed.stderr).toContain('[code/two-files]')
  expect(listed.stderr).toContain("broken.ts can't be used")
  expect(listed.code).toBe(1)
})

it('code that nothing names is told by run and doctor, with what may be meant for it', async () => {
  const own = {
    'targets/metrics/kept_words.ts': metric('kept_words'),
    'targets/annotators/tone.ts':
      "export const annotator = { fields: [{ name: 'tone', type: 'text' }], annotate: () => ({ tone: '' }) }\n",
    'models/clients/plain.ts':
      "import { one } from './shared.ts'\nexport const client = { complete: () => one }\n",
    'models/clients/shared.ts': 'export const one = 1\n',
    'models/own.yaml':
      'model_deployments: [{ name: own/plain, client_spec: { class_name: workspace.clients.plains, args: { base_url: "http://127.0.0.1:9/" } } }]\n',
  }
  const named = 'metrics: [{name: exact_match}, {name: kept_word}] # kept_words'
  const cwd = createWorkspace({
    ...files(own),
    'benchmarks/other/benchmark.yaml': `name: other\ndescription: Other.\naccess: public\nprompt_file: ../plain/prompt.txt\ndataset_file: ../plain/data.csv\nmax_tokens: 5\n${named}\n`,
  })
  const { code, stderr } = await medmake(['run'], { cwd, isFresh: true })
  expect(code, stderr).toBe(0)
  const doctor = (await medmake(['doctor'], { cwd, isFresh: true })).stdout
  for (const told of [stderr, doctor]) {
    expect(told).toContain('targets/metrics/kept_words.ts is named nowhere')
    expect(told).toContain('Did you mean "kept_word"?')
    expect(told).toContain('targets/annotators/tone.ts is named nowhere')
    expect(told).toContain('models/clients/plain.ts is named nowhere')
    expect(told).toContain('Did you mean "plains"?')
    expect(told).not.toContain('shared.ts')
  }
})

describe('code of medmake itself', () => {
  it('is told of by nothing that runs in its repository', async () => {
    const { stdout } = await medmake(['doctor'], { cwd: packageRoot(), isFresh: true })
    expect(stdout).toContain('No host would be contacted.')
    expect(stdout).not.toContain('never used')
    expect((await medmake(['metrics', 'exact_match'], { cwd: packageRoot(), isFresh: true })).stderr).toBe('')
  })
})
