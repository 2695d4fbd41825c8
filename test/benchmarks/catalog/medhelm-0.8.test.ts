import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { mirrorPath } from '../../../benchmarks/sources/fetch/remote-file.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { benchmarkContext, instancesOf } from '../../rig/benchmark-context.ts'
import { shared } from '../../rig/shared.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeFiles } from '../../rig/workspace.ts'

const PROTOCOL = { protocol: 'medhelm-0.8' }
const EHRSQL = 'https://raw.githubusercontent.com/glee4810/EHRSQL/'
const OLD = `${EHRSQL}e172ec8e61391ecae2d872c8d0ba02a622222f54/dataset/ehrsql/eicu/`

const catalogText = (name: string): string =>
  readFileSync(join(packageRoot(), 'benchmarks/catalog', name, 'benchmark.yaml'), 'utf8')

describe('the protocol medhelm-0.8', () => {
  test('gives EHRSQL the published instructions and runs gold queries at their own time', async () => {
    const { adapter, queries, scenario } = await findBenchmark(
      'ehr_sql',
      new Map(),
      benchmarkContext(PROTOCOL),
    )
    expect(digestOf(adapter.instructions.trimEnd())).toBe(
      'a6a848d93f2216d23873603f1090d1ef8e9fc125d0202bc83793d80f1bdc6f52',
    )
    expect(queries?.gold).toEqual({
      currentTime: '2105-12-31 23:59:00',
      noRows: 'stay',
      errors: 'rows',
    })
    expect(scenario.definitionPath).toMatch(/PacificAI/)
  })

  test('gives ProxySender the published question', async () => {
    const data = temporaryFolder()
    writeFiles(data, { 'proxy.csv': 'prompt,context,label\nWho?,He wrote.,C\n' })
    const [template = ''] =
      catalogText('shc_proxy_med').match(/You are reviewing .*or if the author.*(?=")/) ?? []
    expect(digestOf(template.replace('{prompt}', '{question}'))).toBe(
      '35c11a4b4d6849e6adff86a9d38519dabda26e299b07e8d0ee3e420fb66e2550',
    )
    const args = new Map<string, PyValue>([['data_path', join(data, 'proxy.csv')]])
    const [first] = await instancesOf(await findBenchmark('shc_proxy_med', args, benchmarkContext(PROTOCOL)))
    expect(first?.input.text).toBe(template.replace('{prompt}', 'Who?').replace('{context}', 'He wrote.'))
    expect(first?.references.map(({ tags }) => tags)).toEqual([[], [], ['correct']])
  })

  test('leaves a benchmark that lacks it as it is, but for where its sources are shown', async () => {
    const [ours, theirs] = await Promise.all(
      [{}, PROTOCOL].map((given) => findBenchmark('medec', new Map(), benchmarkContext(given))),
    )
    expect(theirs?.adapter).toEqual(ours?.adapter)
    expect(theirs?.scenario.definitionPath).not.toBe(ours?.scenario.definitionPath)
  })
})

/** The files that helm-0.5.16 reads, where medhelm-0.8 looks for its own; nobody opens the database. */
const mirrorOf = (mirror: string): string => {
  const folder = temporaryFolder()
  const copy = (from: string, to: string): void => {
    const target = join(folder, mirrorPath(to))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(mirror, mirrorPath(from)), target)
  }
  for (const name of ['train', 'valid', 'test'])
    copy(`${OLD}${name}.json`, `${EHRSQL}refs/heads/main/dataset/ehrsql/eicu/${name}.json`)
  const schema = '9eb39b5e1fd0e4e2ec7bc31208a768dcdf873c50/dataset/ehrsql/eicu/eicu.sql'
  copy(`${OLD}eicu.sql`, `${EHRSQL}${schema}`)
  const database = 'https://drive.google.com/uc?export=download&id=1JG9DUdeJeuIXShK6DdEJ61NEyPiaGEKZ'
  copy(`${OLD}eicu.sql`, database)
  return folder
}

const mirror = shared('mirror')

test.skipIf(mirror === undefined)('EHRSQL of medhelm-0.8 has no unanswerable question', async () => {
  const context = benchmarkContext({ ...PROTOCOL, mirror: mirrorOf(mirror ?? '') })
  const instances = await instancesOf(await findBenchmark('ehr_sql', new Map(), context))
  const counts = ['train', 'test'].map((split) => instances.filter((each) => each.split === split).length)
  expect(counts).toEqual([9270, 755 + 1204])
  expect(instances.some(({ extraData }) => extraData?.get('is_impossible') === true)).toBe(false)
})
