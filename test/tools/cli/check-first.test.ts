import { describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const benchmark = (name: string, files: Files = {}, access = 'public'): Files => ({
  [`benchmarks/${name}/benchmark.yaml`]: `name: ${name}\naccess: ${access}\ndescription: Letters.\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n`,
  [`benchmarks/${name}/prompt.txt`]: `${name}: {question}`,
  [`benchmarks/${name}/data.csv`]: 'question,correct_answer\nfirst,A\nsecond,A\n',
  ...files,
})
const twice = (name: string): string =>
  ['fake/a', 'fake/b'].map((model) => `{description: "${name}:model=${model}"}`).join('\n')

const FAULTS: readonly (readonly [what: string, bad: Files, told: RegExp])[] = [
  [
    'a column that is missing',
    benchmark('bad', { 'benchmarks/bad/data.csv': 'question,answer\nfirst,A\n' }),
    /bad\/data\.csv.*correct_answer/,
  ],
  [
    'a placeholder that is no column',
    benchmark('bad', { 'benchmarks/bad/prompt.txt': 'bad: {qestion}' }),
    /bad\/prompt\.txt:1:6.*qestion/,
  ],
  [
    'a last row that cannot be used',
    benchmark('bad', {
      'benchmarks/bad/data.csv':
        'question,correct_answer,incorrect_answers\nfirst,A,"[""B""]"\nsecond,A,[B\n',
    }),
    /bad\/data\.csv:3 row 2/,
  ],
  ['a data set that is not there', benchmark('bad', { 'benchmarks/bad/data.csv': '' }), /bad\/data\.csv/],
  [
    'private data with a fault',
    benchmark('bad', { 'benchmarks/bad/prompt.txt': 'bad: {qestion}' }, 'private'),
    /benchmarks\/missing-column/,
  ],
]

describe('before the first call is paid for', () => {
  it.each(FAULTS)('%s is found in the last run', async (_, bad, told) => {
    const server = await fakeServer()
    const files = {
      ...benchmark('good'),
      ...bad,
      'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b']),
      'targets/main.conf': `entries: [${twice('good')}\n${twice('bad')}]`,
    }
    const strict = await medmake(['run', '--exit-on-error'], { cwd: createWorkspace(files) })
    expect(strict.code).toBe(2)
    expect(strict.stderr).toMatch(told)
    expect(server.journal().requests).toBe(0)
    const { code, stdout, stderr } = await medmake(['run', '--json'], { cwd: createWorkspace(files) })
    expect(code).toBe(2)
    expect(stderr).toMatch(told)
    expect(stderr).toContain('2 of 4 runs cannot be built, the others go on.')
    expect(server.journal().requests).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      targets: { built: 2, failed: 2 },
      // Read by the look: the second run of the benchmark finds it.
      stages: { instances: { executed: 2, cached: 2 } },
    })
  })
})
