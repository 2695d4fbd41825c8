import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import { redactRun } from '../../../tools/release/redact.ts'
import { medmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { bundleWorkspace } from './bundle-workspace.ts'

const RUN = 'runs/open/summaries:model=fake_a'
let output: string

beforeAll(async () => {
  const { root } = await bundleWorkspace()
  expect(await medmake(['run', 'open'], { cwd: root })).toMatchObject({ code: 0 })
  expect(await medmake(['summarize', '--suite', 'open'], { cwd: root })).toMatchObject({ code: 0 })
  output = join(root, 'benchmark_output')
})

const redacted = async (...flags: readonly string[]) => {
  const folder = join(temporaryFolder(), 'out')
  cpSync(output, folder, { recursive: true })
  const result = await medmake(['redact', folder, ...flags], { cwd: folder })
  expect(result).toMatchObject({ code: 0, stderr: '' })
  return { folder, read: (file: string): string => readFileSync(join(folder, RUN, file), 'utf8') }
}

describe('redact', () => {
  it('takes judge prompts and explanations out, and nothing else', async () => {
    const { read } = await redacted()
    const original = readFileSync(join(output, RUN, 'scenario_state.json'), 'utf8')
    const expected = original
      .replaceAll(/"prompt_text": "(?:[^"\\]|\\.)*"/g, '"prompt_text": "[redacted]"')
      .replaceAll(/"explanation": "(?:[^"\\]|\\.)*"/g, '"explanation": "[redacted]"')
    expect(expected).not.toBe(original)
    expect(read('scenario_state.json')).toBe(expected)
    expect(read('stats.json')).toBe(readFileSync(join(output, RUN, 'stats.json'), 'utf8'))
    expect(read('display_predictions.json')).not.toContain('as drawn')
    expect(read('display_requests.json')).toContain('secret note')
  })

  it('takes every text out with --texts; numbers, ids and files that can be summarised stay', async () => {
    const { folder, read } = await redacted('--texts')
    const files = [
      'scenario_state.json',
      'display_predictions.json',
      'display_requests.json',
      'instances.json',
    ]
    for (const file of files)
      for (const text of ['secret note', 'answer 3', 'as drawn']) expect(read(file), file).not.toContain(text)
    expect(read('scenario_state.json')).toContain('"id": "id3"')
    expect(await medmake(['summarize', '--suite', 'open', '-o', '.'], { cwd: folder })).toMatchObject({
      code: 0,
    })
  })

  it('takes away what writers left that were killed, on this machine or another', async () => {
    const folder = join(temporaryFolder(), 'out')
    cpSync(output, folder, { recursive: true })
    const self = identifyProcess()
    const left = [
      { ...self, start: '1' },
      { ...self, boot: 'f'.repeat(16) },
    ].flatMap((writer) =>
      [RUN, 'runs/open'].map((place) =>
        join(folder, place, `.scenario_state.json.${formatIdentity(writer)}.${randomUUID()}.tmp`),
      ),
    )
    for (const file of left) writeFileSync(file, 'a secret note')
    expect(await medmake(['redact', folder, '--texts'], { cwd: folder })).toMatchObject({ code: 0 })
    expect(left.filter(existsSync)).toEqual([])
  })

  it('leaves releases as they are, says so, and refuses where there is nothing else', async () => {
    const { root } = await bundleWorkspace()
    for (const words of [
      ['run', 'open'],
      ['release', 'create', 'v1', '--suites', 'open'],
    ])
      expect(await medmake(words, { cwd: root })).toMatchObject({ code: 0 })
    const done = await medmake(['redact', 'benchmark_output', '--texts'], { cwd: root })
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('redacted 2 runs') as string })
    expect(done.stderr).toContain('left as they are, as their digests would hold no more: 2 runs of releases')
    expect(await medmake(['release', 'verify', 'v1'], { cwd: root })).toMatchObject({ code: 0 })
    const refused = await medmake(['redact', 'benchmark_output/releases'], { cwd: root })
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('release/no-runs') as string })
  })

  it('takes chats, images, extra data and own annotations out of the files of a run’s page, too', async () => {
    const folder = join(temporaryFolder(), 'out')
    cpSync(output, folder, { recursive: true })
    const secret = { note: 'Ms. Poe', age: 8_700_087, more: [{ text: 'Ms. Poe' }] }
    const added: Readonly<Record<string, object>> = {
      'instances.json': {
        input: {
          text: 'Ms. Poe',
          messages: [{ role: 'user', content: 'Ms. Poe' }],
          multimedia_content: secret,
        },
        extra_data: secret,
        contrast_inputs: [secret],
        contrast_references: [secret],
        id: 'id99',
      },
      'display_requests.json': {
        request: { prompt: '', messages: [{ role: 'user', content: 'Ms. Poe' }], multimodal_prompt: secret },
      },
      'display_predictions.json': {
        base64_images: ['Ms. Poe'],
        annotations: { own: { quote: 'Ms. Poe', quotes: ['Ms. Poe'], score: 3 } },
      },
    }
    const pathOf = (file: string): string => join(folder, RUN, file)
    for (const [file, more] of Object.entries(added)) {
      const rows = JSON.parse(readFileSync(pathOf(file), 'utf8')) as readonly object[]
      writeFileSync(pathOf(file), JSON.stringify([...rows, more]))
    }
    expect(await redactRun(join(folder, RUN), true)).toHaveLength(3)
    for (const file of Object.keys(added))
      expect(readFileSync(pathOf(file), 'utf8'), file).not.toMatch(/Ms\. Poe|8700087/)
    expect(readFileSync(pathOf('instances.json'), 'utf8')).toContain('id99')
    expect(readFileSync(pathOf('display_predictions.json'), 'utf8')).toContain('"score": 3')
  })

  it('can be done twice', async () => {
    const { folder, read } = await redacted()
    const once = read('scenario_state.json')
    expect(await medmake(['redact', '.'], { cwd: folder })).toMatchObject({ code: 0 })
    expect(read('scenario_state.json')).toBe(once)
  })

  it('leaves other runs alone, and says when there is none', async () => {
    const { folder, read } = await redacted('--runs', '^exact')
    expect(read('scenario_state.json')).toContain('as drawn')
    expect((await medmake(['redact', '.', '--runs', '^none$'], { cwd: folder })).stderr).toContain(
      '[release/no-runs]',
    )
  })
})
