import { join, relative } from 'node:path'
import { readFileSync, truncateSync, utimesSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../../cache/package-root.ts'
import { digestJson, digestOf } from '../../../../cache/values/digest.ts'
import type { Target } from '../../../../targets/record/target.ts'
import { findWorkspace } from '../../../../tools/session/workspace/workspace.ts'
import { pairFiles } from '../../../../tools/nx/pairs/pair-files.ts'
import { createWorkspace, writeFiles } from '../../../rig/workspace.ts'

const FAKE = { className: 'medmake.chat', args: {} }

const targetOf = (files: readonly string[], client: object, judges: readonly string[]): Target =>
  ({
    spec: { benchmark: { files } },
    deployment: { file: 'models/m.yaml', client },
    judges: judges.map((file) => ({ deployment: { file, client: FAKE } })),
  }) as unknown as Target

const look = async (
  root: string,
  files: readonly string[],
  client: object = FAKE,
  judges: readonly string[] = [],
) => pairFiles(await findWorkspace(root))(targetOf(files, client, judges))

describe('files of a pair', () => {
  it('are left to Nx where it can read them, even before they are there', async () => {
    const root = createWorkspace({ 'benchmarks/b/data.csv': 'a\n', 'models/m.yaml': '' })
    const { inside } = await look(root, ['benchmarks/b/data.csv', 'benchmarks/b/later.csv'])
    expect(inside).toEqual(['benchmarks/b/data.csv', 'benchmarks/b/later.csv', 'models/m.yaml'])
  })

  it('are those of its judges, too, each once', async () => {
    const root = createWorkspace({ 'models/m.yaml': '', 'models/j.yaml': '' })
    const { inside } = await look(root, [], FAKE, ['models/j.yaml', 'models/m.yaml'])
    expect(inside).toEqual(['models/j.yaml', 'models/m.yaml'])
  })

  it('of 16 MB on, and of installed packages, are not left to Nx', async () => {
    const root = createWorkspace({
      'models/m.yaml': '',
      'most.csv': '',
      'large.csv': '',
      'node_modules/p/rows.csv': 'a',
    })
    truncateSync(join(root, 'most.csv'), 16e6 - 1)
    truncateSync(join(root, 'large.csv'), 16e6)
    const files = ['most.csv', 'large.csv', 'node_modules/p/rows.csv']
    const { inside, outside } = await look(root, files)
    expect(inside).toEqual(['models/m.yaml', 'most.csv'])
    truncateSync(join(root, 'large.csv'), 16e6 + 1)
    const larger = (await look(root, files)).outside
    expect(larger).not.toBe(outside)
    writeFiles(root, { 'node_modules/p/rows.csv': 'b' })
    expect((await look(root, files)).outside).not.toBe(larger)
  })

  it('of our own package go by their content, wherever it is installed', async () => {
    const root = createWorkspace({ 'models/m.yaml': '' })
    const own = 'benchmarks/judges.yaml'
    const content = readFileSync(join(packageRoot(), own))
    const { inside, outside } = await look(root, [relative(root, join(packageRoot(), own))])
    expect(inside).toEqual(['models/m.yaml'])
    expect(outside).toBe(digestJson([`${own} ${digestOf(content)}`]))
  })

  it('go by size and time in folders and outside the workspace', async () => {
    const elsewhere = createWorkspace({ 'notes.csv': 'a\n' })
    const root = createWorkspace({ 'models/m.yaml': '', 'private/notes/1.txt': 'one' })
    const files = ['private/notes', join('..', elsewhere.split('/').at(-1) ?? '', 'notes.csv')]
    const { inside, outside } = await look(root, files)
    expect(inside).toEqual(['models/m.yaml'])
    expect((await look(root, files)).outside).toBe(outside)
    writeFiles(root, { 'private/notes/2.txt': 'two' })
    const more = await look(root, files)
    expect(more.outside).not.toBe(outside)
    utimesSync(join(elsewhere, 'notes.csv'), 1, 1)
    expect((await look(root, files)).outside).not.toBe(more.outside)
  })

  it('hold the folder of a local model, in the workspace or with the data', async () => {
    const root = createWorkspace({ 'models/m.yaml': '', 'tiny/config.json': '{}' })
    const own = { className: 'medmake.local', args: { model: './tiny' } }
    const hub = { className: 'medmake.local', args: { model: 'org/name' } }
    const [before, absent] = [await look(root, [], own), await look(root, [], hub)]
    writeFiles(root, {
      'tiny/onnx/model.onnx': 'x',
      'cache/data/huggingface.co/org/name/resolve/main/config.json': '{}',
    })
    expect((await look(root, [], own)).outside).not.toBe(before.outside)
    expect((await look(root, [], hub)).outside).not.toBe(absent.outside)
  })
})
