import { describe, expect, it } from 'vitest'
import { fullYaml } from '../../rig/full-yaml.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

/** 24 letters of six patients; of the last two rows nobody knows whose they are. */
const letters = (): string => {
  const rows = Array.from({ length: 24 }, (_, row) => {
    const patient = row < 22 ? `p${row % 6}` : ''
    return `Was visit ${row} planned?,${row % 3 === 0 ? 'A' : 'B'},${patient}`
  })
  return `question,answer,patient\n${rows.join('\n')}\n`
}

const BENCHMARK = fullYaml({ name: 'visits', access: 'private', cluster: 'patient' })

const model = (name: string): string =>
  `model_deployments:\n  - name: own/${name}\n    client_spec: {class_name: medmake.baseline, args: {name: ${name}}}\n`

const workspace = (): string =>
  createWorkspace({
    'benchmarks/visits/benchmark.yaml': BENCHMARK,
    'benchmarks/visits/data.csv': letters(),
    'models/first.yaml': model('first-choice'),
    'models/random.yaml': model('random-choice'),
    'targets/main.conf': `entries: [
      {description: "visits:model=own/first-choice", priority: 1}
      {description: "visits:model=own/random-choice", priority: 1}
    ]\n`,
  })

interface Cell {
  readonly n: number
  readonly interval: { readonly low: number; readonly high: number }
  readonly intervalMethod: string
}

describe('instances that share a source', () => {
  it('are one piece of evidence in the board’s intervals and in comparisons, which say so', async () => {
    const cwd = workspace()
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    const report = await medmake(['report', '--json'], { cwd })
    const { boards } = JSON.parse(report.stdout) as { boards: { rows: { cells: Cell[] }[] }[] }
    const cells = boards[0]?.rows.flatMap((row) => row.cells) ?? []
    expect(cells.map(({ n, intervalMethod }) => [n, intervalMethod])).toEqual([
      [24, 'Wilson at the effective n, CR2 over 8 sources'],
      [24, 'Wilson at the effective n, CR2 over 8 sources'],
    ])
    const sides = ['own/first-choice', 'own/random-choice']
    const compared = await medmake(['compare', ...sides, '--format', 'json'], { cwd })
    expect(JSON.parse(compared.stdout)).toMatchObject({ comparisons: [{ result: { n: 24, sources: 8 } }] })
  })

  it('are so in the simple form, too, where `cluster` names their column', async () => {
    const cwd = createWorkspace({
      'benchmarks/visits/benchmark.yaml':
        'name: visits\ndescription: Invented.\naccess: private\ncluster: patient\nmetrics: [{ name: exact_match }]\n',
      'benchmarks/visits/prompt.txt': '{question} A. yes B. no',
      'benchmarks/visits/data.csv': letters().replace('question,answer', 'question,correct_answer'),
      'models/first.yaml': model('first-choice'),
      'targets/main.conf': 'entries: [{description: "visits:model=own/first-choice"}]\n',
    })
    expect((await medmake(['run'], { cwd })).code).toBe(0)
    const report = await medmake(['report', '--json'], { cwd })
    expect(report.stdout).toContain('"Wilson at the effective n, CR2 over 8 sources"')
    writeFiles(cwd, {
      'benchmarks/visits/benchmark.yaml':
        'name: visits\ndescription: Invented.\naccess: private\ncluster: person\nmetrics: [{ name: exact_match }]\n',
    })
    const { code, stderr } = await medmake(['run'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('`cluster` needs a column "person"')
  })

  it('that code gives and nobody names are told in full of a private benchmark, too', async () => {
    const cwd = workspace()
    const code = `export const instances = () => [{ input: { text: 'Yes?' }, references: [], split: 'test', cluster: 'a' }]\n`
    const [head = ''] = BENCHMARK.split('    instances:')
    const tail = BENCHMARK.slice(BENCHMARK.indexOf('    adapter:'))
    writeFiles(cwd, {
      'benchmarks/visits/benchmark.yaml': `${head}${tail}`.replace('cluster: patient\n', ''),
      'benchmarks/visits/scenario.js': code,
    })
    const { stderr } = await medmake(['run'], { cwd })
    expect(stderr).toContain('instances are given a cluster, and nothing says what it is')
    expect(stderr).toContain('Write `cluster: patient`')
  })

  it.each([
    ['a name without a column', BENCHMARK.replace("        cluster: '{patient}'\n", ''), 'no-cluster'],
    ['a column without a name', BENCHMARK.replace('cluster: patient\n', ''), 'unnamed-cluster'],
  ])('are refused where they are half declared: %s', async (_, text, problem) => {
    const cwd = workspace()
    writeFiles(cwd, { 'benchmarks/visits/benchmark.yaml': text })
    const { code, stderr } = await medmake(['run'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(`[benchmarks/${problem}]`)
  })
})
