import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digestFile } from '../../../tools/release/bundle/list-files.ts'
import { printRelease, readRelease } from '../../../tools/release/release-file.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'
import type { FakeServer } from '../../bench/fake-server.ts'

export const ROWS = 12

/** Each benchmark's own: over another's data it would have the other's access. */
const csv = (name: string, rows: number): string =>
  `note,correct_answer\n${Array.from({ length: rows }, (_, row) => `secret note ${row} of ${name},answer ${row}\n`).join('')}`

const files = (name: string, access: string, rows: number, judges: readonly string[] = []): Files =>
  shortBenchmark({ name, access, judges }, { prompt: 'Read: {note}', data: csv(name, rows) })

export interface BundleWorkspace {
  readonly root: string
  readonly server: FakeServer
}

/** Two public benchmarks, one of them judged; a private one; a gated one of a few rows. Two models each. */
export const bundleWorkspace = async (): Promise<BundleWorkspace> => {
  const server = await fakeServer()
  const root = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b', 'fake/c', 'fake/judge']),
    'models/prices.yaml':
      'prices: [{ deployment: fake/a, input: 3, output: 15, date: 2026-04-05, source: contract }]\n',
    ...files('exact', 'public', ROWS),
    ...files('summaries', 'public', ROWS, ['fake/judge']),
    ...files('wards', 'private', ROWS, ['fake/judge']),
    ...files('rare', 'gated', 5),
    'targets/open.conf':
      'entries: [{description: "exact:model=fake/a"}, {description: "summaries:model=fake/a"}]',
    'targets/closed.conf':
      'entries: [{description: "wards:model=fake/a"}, {description: "rare:model=fake/b"}]',
  })
  return { root, server }
}

/** Makes a changed file the released one. */
export const redigest = async (bundle: string, path: string): Promise<void> => {
  const { digest: _digest, ...release } = await readRelease(bundle)
  const changed = await digestFile(bundle, path)
  const files = release.files.map((file) => (file.path === path ? changed : file))
  writeFileSync(join(bundle, 'release.json'), printRelease({ ...release, files }).text)
}

/** Files of a workspace, and those of its folders, as another takes them. */
export const filesOf = (root: string, ...paths: readonly string[]): Files =>
  Object.fromEntries(
    paths
      .flatMap((path) =>
        statSync(join(root, path)).isDirectory()
          ? readdirSync(join(root, path)).map((name) => `${path}/${name}`)
          : [path],
      )
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
