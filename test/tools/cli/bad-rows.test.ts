import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const FOLDER = 'benchmarks/torn'
const files = {
  [`${FOLDER}/benchmark.yaml`]:
    'name: torn\ndescription: Torn rows.\naccess: public\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{ name: exact_match }]\n',
  [`${FOLDER}/prompt.txt`]: 'Note: {note}\nAnswer:',
  [`${FOLDER}/data.csv`]:
    'note,correct_answer,incorrect_answers\n' +
    'a,yes,[]\n' +
    'b,no\n' +
    'c,,[]\n' +
    'd,no,"[""yes"""\n' +
    'e,yes,[]\n',
}
const run = (cwd: string, ...flags: string[]) =>
  medmake(['run', '-r', 'torn:model=simple/model1', '--suite', 's', ...flags], { cwd })

describe('rows that cannot be used', () => {
  it('end the run with their place, and nothing is kept', async () => {
    const cwd = createWorkspace(files)
    const { code, stderr } = await run(cwd)
    expect(code).toBe(2)
    expect(stderr).toContain('benchmarks/ragged-row')
    expect(stderr).toContain(`${FOLDER}/data.csv:3`)
    const { stdout } = await run(cwd, '--dry-run')
    expect(stdout).not.toContain('cached instances')
  })

  it('are left out, counted and listed with --skip-bad-rows', async () => {
    const cwd = createWorkspace(files)
    const { code, stdout, stderr } = await run(cwd, '--skip-bad-rows', '--json')
    expect(code, stderr).toBe(0)
    const { causes, skippedRows } = JSON.parse(stdout) as Record<string, unknown>
    const file = `${FOLDER}/data.csv`
    expect(causes).toMatchObject({ 'torn:model=simple_model1': { 'row-skipped': 3 } })
    expect(skippedRows).toEqual({
      'torn:model=simple_model1': {
        count: 3,
        listed: [
          { file, row: 2, line: 3, reason: 'ragged-row' },
          { file, row: 3, line: 4, column: 'correct_answer', reason: 'answer' },
          { file, row: 4, line: 5, column: 'incorrect_answers', reason: 'incorrect-answers' },
        ],
      },
    })
    const state = readFileSync(
      join(cwd, 'benchmark_output/runs/s/torn:model=simple_model1/scenario_state.json'),
      'utf8',
    )
    const { request_states: states } = JSON.parse(state) as { request_states: { instance: { id: string } }[] }
    expect(states.map(({ instance }) => instance.id).toSorted()).toEqual(['id0', 'id4'])
  })

  it('are told again when nothing has to run, and are another run than one without the flag', async () => {
    const cwd = createWorkspace(files)
    await run(cwd, '--skip-bad-rows')
    const again = await run(cwd, '--skip-bad-rows')
    expect(again.stdout).toContain('1 fresh')
    expect(again.stderr).toContain(`3 rows skipped, first ${FOLDER}/data.csv row 2: ragged row`)
    expect((await run(cwd)).code).toBe(2)
    writeFiles(cwd, { 'medmake.yaml': 'skip_bad_rows: true\n' })
    expect((await run(cwd)).stdout).toContain('1 fresh')
  })

  it('end the run all the same where none is left', async () => {
    const cwd = createWorkspace({
      ...files,
      [`${FOLDER}/data.csv`]: 'note,correct_answer\na\nb\n',
    })
    const { code, stderr } = await run(cwd, '--skip-bad-rows')
    expect(code).toBe(2)
    expect(stderr).toContain('row 1 has 1 cells, the header has 2')
  })
})

it('A row that says the same as one before it is told and counted, in a benchmark of the workspace.', async () => {
  const cwd = createWorkspace({
    'benchmarks/twice/benchmark.yaml':
      'name: twice\ndescription: d\naccess: public\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n',
    'benchmarks/twice/prompt.txt': 'Note: {note}',
    'benchmarks/twice/data.csv': 'note,correct_answer\none,A\ntwo,B\none,A\none,B\n',
    'targets/main.conf': 'entries: [{description: "twice:model=simple/model1"}]\n',
  })
  const run = await medmake(['run'], { cwd })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stdout).toContain('twice:model=simple_model1: 1 repeated row')
  const { causes } = JSON.parse((await medmake(['run', '--json'], { cwd })).stdout) as { causes: object }
  expect(causes).toEqual({ 'twice:model=simple_model1': { 'row-repeated': 1 } })
  const report = await medmake(['report'], { cwd })
  expect(report.stdout).toContain('twice: 1 repeated row')
})
