import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { medmake } from '../../../rig/medmake.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { bundleWorkspace, redigest } from '../bundle-workspace.ts'

let root = ''
const run = (...args: readonly string[]) => medmake(args, { cwd: root })

beforeAll(async () => {
  root = (await bundleWorkspace()).root
  for (const args of [
    ['run', 'open'],
    ['release', 'create', 'r', '--suites', 'open'],
  ])
    expect(await run(...args)).toMatchObject({ code: 0 })
})

const REPLIES = 'replies/open/summaries:model=fake_a.jsonl'
const RECORD = 'records/open/summaries:model=fake_a.json'

/** What is said of a release of which a file was edited, and its digests with it. */
const saidOf = async (path: string, edit: (text: string) => string): Promise<readonly string[]> => {
  const bundle = temporaryFolder()
  cpSync(join(root, 'benchmark_output/releases/r/bundle'), bundle, { recursive: true })
  const before = readFileSync(join(bundle, path), 'utf8')
  const after = edit(before)
  expect(after).not.toBe(before)
  writeFileSync(join(bundle, path), after)
  await redigest(bundle, path)
  const { code, stdout } = await run('release', 'reproduce', bundle, '--json')
  expect(code).toBe(1)
  const { problems } = JSON.parse(stdout) as { problems: { code: string; where: { field: string } }[] }
  return problems.flatMap((problem) => (problem.code === 'release/other-record' ? [problem.where.field] : []))
}

test.each<[what: string, path: string, from: RegExp, to: string, told: readonly string[]]>([
  ['tokens of a reply', REPLIES, /"outputTokens":\d+/, '"outputTokens":999', ['usage.outputTokens']],
  ['a finish reason', REPLIES, /"finishReason":"\w+"/, '"finishReason":"length"', ['causes.truncated']],
  [
    'the model that a reply names',
    REPLIES,
    /"model":"[^"]+"/,
    '"model":"x"',
    ['served', 'causes.model-drift'],
  ],
  ['tokens of the record', RECORD, /"outputTokens": \d+/, '"outputTokens": 1', ['usage.outputTokens']],
  ['its coverage', RECORD, /"measured": \d+/, '"measured": 1', ['coverage.measured']],
  ['its newest call', RECORD, /"newestCall": \d+/, '"newestCall": 1', ['newestCall']],
  ['what it says of a judge', RECORD, /"counted": \d+/, '"counted": 1', ['judged.judges']],
])(
  'Of a release that was digested anew reproducing tells %s that was edited.',
  async (_, path, from, to, told) => {
    expect(await saidOf(path, (text) => text.replace(from, to))).toEqual(told)
  },
)
