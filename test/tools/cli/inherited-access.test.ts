import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FakeServer } from '../../bench/fake-server.ts'
import { fakeServer } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { createWorkspace, writeFiles, type Files } from '../../rig/workspace.ts'

/** No program may reach it: a server beyond this machine. */
const FAR = 'http://0.0.0.0:9/v1'

const config = (name: string, access: string, dataset: string): string => `name: ${name}
description: Asks whether a patient smokes.
${access}
prompt_file: prompt.txt
dataset_file: ${dataset}
max_tokens: 5
metrics: [{name: exact_match}]
`

const declared = (name: string, path: string): string => `name: ${name}
description: Asks whether a patient smokes.
access: public
protocols:
  - version: medmake-1
    data: { rows: { path: ${path}, format: csv } }
    instances:
      - { from: rows, split: test, input: '{note}', references: [{ text: '{correct_answer}', correct: true }] }
    adapter: { method: generation, max_train_instances: 0, max_tokens: 5 }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`

const ROWS = 'note,correct_answer\nMrs Müller smokes,yes\n'

let server: FakeServer
beforeAll(async () => {
  server = await fakeServer()
})

const files = (): Files => ({
  'models/m.yaml': `model_deployments: [{name: far/m, client_spec: {class_name: medmake.chat, args: {base_url: "${FAR}", model: m}}}, {name: near/m, client_spec: {class_name: medmake.chat, args: {base_url: "${server.url}", model: m}}}]\n`,
  'benchmarks/wards/benchmark.yaml': config('wards', 'access: private', '../../tables/wards.csv'),
  'benchmarks/wards/prompt.txt': 'Note: {note}',
  'benchmarks/wards/more.csv': ROWS.replace('Müller', 'Meier'),
  'tables/wards.csv': ROWS,
  'tables/other.csv': ROWS.replace('Müller', 'X'),
  'cache/data/mimic_rrs/notes.csv': ROWS.replace('Müller', 'Schmidt'),
})

/** A benchmark that says it is public, and how it comes by the data. */
const TRICKS: Readonly<Record<string, (cwd: string) => string>> = {
  'names the file of a private benchmark': (cwd) => {
    writeFiles(cwd, {
      'benchmarks/open/benchmark.yaml': config('open', 'access: public', '../../tables/wards.csv'),
    })
    return 'open'
  },
  'names it in the full form': (cwd) => {
    writeFiles(cwd, { 'benchmarks/open/benchmark.yaml': declared('open', '../../tables/wards.csv') })
    return 'open'
  },
  'names another file of a private benchmark’s folder': (cwd) => {
    writeFiles(cwd, {
      'benchmarks/open/benchmark.yaml': config('open', 'access: public', '../wards/more.csv'),
    })
    return 'open'
  },
  'links to it': (cwd) => {
    writeFiles(cwd, { 'benchmarks/open/benchmark.yaml': config('open', 'access: public', 'data.csv') })
    symlinkSync(join(cwd, 'tables/wards.csv'), join(cwd, 'benchmarks/open/data.csv'))
    return 'open'
  },
  'has a copy of it': (cwd) => {
    writeFiles(cwd, { 'benchmarks/open/benchmark.yaml': config('open', 'access: public', 'copied.csv') })
    copyFileSync(join(cwd, 'tables/wards.csv'), join(cwd, 'benchmarks/open/copied.csv'))
    return 'open'
  },
  'has a copy of a gated benchmark’s file': (cwd) => {
    writeFiles(cwd, { 'benchmarks/open/benchmark.yaml': config('open', 'access: public', 'copied.csv') })
    copyFileSync(join(cwd, 'cache/data/mimic_rrs/notes.csv'), join(cwd, 'benchmarks/open/copied.csv'))
    return 'open'
  },
  'is a configuration within the workspace': (cwd) => {
    writeFiles(cwd, {
      'open.yaml': config('open', 'access: public', 'tables/wards.csv'),
      'prompt.txt': 'Note: {note}',
    })
    return 'medhelm_configurable_benchmark:config_path=open.yaml'
  },
  'is a configuration elsewhere': (cwd) => {
    const folder = temporaryFolder()
    writeFiles(folder, {
      'open.yaml': config('open', 'access: public', join(cwd, 'tables/other.csv')),
      'prompt.txt': 'Note: {note}',
    })
    return `medhelm_configurable_benchmark:config_path=${join(folder, 'open.yaml')}`
  },
  'is a link to a configuration elsewhere': (cwd) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'open.yaml'), config('open', 'access: gated', join(cwd, 'tables/other.csv')))
    symlinkSync(join(folder, 'open.yaml'), join(cwd, 'linked.yaml'))
    writeFiles(cwd, { 'prompt.txt': 'Note: {note}' })
    return 'medhelm_configurable_benchmark:config_path=linked.yaml'
  },
}

describe('a benchmark that says it is public', () => {
  test.each(Object.entries(TRICKS))('and %s sends nothing', async (trick, prepare) => {
    const cwd = createWorkspace(files())
    writeFiles(cwd, { 'benchmarks/open/prompt.txt': 'Note: {note}' })
    const entry = prepare(cwd)
    const separator = entry.includes(':') ? ',' : ':'
    const refused = await medmake(['run', '--run-entries', `${entry}${separator}model=far/m`], { cwd })
    expect(refused.code, refused.stderr).toBe(5)
    expect(refused.stderr).toMatch(
      /is (?:private|gated), for (?:\w+\.csv is data of (?:wards|mimic_rrs)|it is declared outside of the workspace), and the data agreement of far\/m/,
    )
    // Its texts are kept as those of the other.
    const near = await medmake(['run', '--run-entries', `${entry}${separator}model=near/m`], { cwd })
    expect(near.code, near.stderr).toBe(0)
    expect(near.stderr).toMatch(/ is (?:private|gated), since (?:\w+\.csv is data of|it is declared outside)/)
    if (trick !== 'has a copy of it') return
    for (const verb of ['data status', 'benchmark show']) {
      const { stdout } = await medmake([...verb.split(' '), entry], { cwd })
      expect(stdout).toMatch(/^open.* private,? since copied\.csv is data of wards$/m)
    }
  })

  test.each([
    ['a table without a row', 'spare.csv', 'note,correct_answer\n'],
    ['an empty list', 'spare.json', '[ ]\n'],
  ])('and has %s that a private one has as well stays public', async (_, name, text) => {
    const cwd = createWorkspace({
      ...files(),
      'benchmarks/open/benchmark.yaml': declared('open', 'data.csv').replace(
        'data: {',
        `data: { spare: { path: ${name}, format: ${name.split('.')[1]} },`,
      ),
      'benchmarks/open/data.csv': ROWS.replace('Müller', 'Nobody'),
      [`benchmarks/open/${name}`]: text,
      [`benchmarks/wards/${name}`]: text,
    })
    const { code, stderr } = await medmake(['run', '--dry-run', '--run-entries', 'open:model=far/m'], { cwd })
    expect(code, stderr).toBe(0)
  })

  test('and has data of its own is public', async () => {
    const cwd = createWorkspace({
      ...files(),
      'benchmarks/open/benchmark.yaml': config('open', 'access: public', 'data.csv'),
      // Prompts may be shared.
      'benchmarks/open/prompt.txt': 'Note: {note}',
      'benchmarks/open/data.csv': ROWS.replace('Müller', 'Nobody'),
    })
    const { code, stderr } = await medmake(['run', '--dry-run', '--run-entries', 'open:model=far/m'], { cwd })
    expect(code, stderr).toBe(0)
    const status = await medmake(['data', 'status', 'open', 'wards', '--json'], { cwd })
    const { benchmarks } = JSON.parse(status.stdout) as { benchmarks: { name: string; access: string }[] }
    expect(benchmarks.map(({ name, access }) => [name, access])).toEqual([
      ['open', 'public'],
      ['wards', 'private'],
    ])
  })
})
