import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeAll, describe, expect, it } from 'vitest'
import { printRelease, readRelease, type ReleaseDocument } from '../../../../tools/release/release-file.ts'
import { digestFile } from '../../../../tools/release/bundle/list-files.ts'
import { medmake, type CliResult } from '../../../rig/medmake.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { createWorkspace } from '../../../rig/workspace.ts'
import { bundleWorkspace, filesOf, ROWS, type BundleWorkspace } from '../bundle-workspace.ts'

let workspace: BundleWorkspace
let keys: string

const run = (...args: readonly string[]): Promise<CliResult> => medmake(args, { cwd: workspace.root })
const releases = (): string => join(workspace.root, 'benchmark_output/releases')
const archive = (): string => join(releases(), 'r/r.tar.gz')

/** A copy of the bundle, changed. */
const copy = (change: (folder: string) => void): string => {
  const folder = join(temporaryFolder(), 'copy')
  cpSync(join(releases(), 'r/bundle'), folder, { recursive: true })
  change(folder)
  return folder
}

beforeAll(async () => {
  workspace = await bundleWorkspace()
  keys = temporaryFolder()
  for (const name of ['publisher', 'stranger'])
    await execa('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(keys, name)])
  writeFileSync(
    join(keys, 'signers'),
    `publisher@site.example ${readFileSync(join(keys, 'publisher.pub'), 'utf8')}`,
  )
  expect(await run('run', 'open')).toMatchObject({ code: 0 })
  const made = await run('release', 'create', 'r', '--suites', 'open', '--sign', join(keys, 'publisher'))
  expect(made).toMatchObject({ code: 0, stderr: '' })
})

describe('the archive that release create names', () => {
  it('is taken by verify and reproduce as it is, and leaves nothing behind', async () => {
    const elsewhere = createWorkspace({ 'v1.tar.gz': '' })
    cpSync(archive(), join(elsewhere, 'v1.tar.gz'))
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('medmake-release-'))
    const checked = await medmake(['release', 'verify', 'v1.tar.gz'], { cwd: elsewhere })
    expect(checked).toMatchObject({ code: 0, stderr: '' })
    expect(checked.stdout).toContain('computed anew from the runs are equal')
    const again = await medmake(['release', 'reproduce', 'v1.tar.gz'], { cwd: elsewhere })
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout).toContain('2 runs scored anew')
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('medmake-release-'))).toEqual(before)
  })

  it('is taken by import; what then rests on its replies says so', async () => {
    const cwd = createWorkspace(
      filesOf(
        workspace.root,
        'models/fake.yaml',
        'targets/open.conf',
        'benchmarks/exact',
        'benchmarks/summaries',
      ),
    )
    const calls = workspace.server.journal().requests
    expect((await medmake(['release', 'import', archive()], { cwd })).stdout).toContain(
      `${2 * ROWS} replies of the release imported`,
    )
    expect(await medmake(['run', 'open'], { cwd })).toMatchObject({ code: 0 })
    expect(workspace.server.journal().requests).toBe(calls)
    expect(await medmake(['release', 'create', 'i', '--suites', 'open'], { cwd })).toMatchObject({ code: 0 })
    const bundle = join(cwd, 'benchmark_output/releases/i/bundle')
    const { runs } = await readRelease(bundle)
    expect(runs.map(({ imported }) => imported)).toEqual([
      { answers: ROWS, judgements: 0 },
      { answers: ROWS, judgements: ROWS },
    ])
    expect(readFileSync(join(bundle, 'README.md'), 'utf8')).toContain(
      `- open: summaries:model=fake_a (${ROWS} answers, ${ROWS} judgements)`,
    )
    expect(readFileSync(join(bundle, 'site/release.html'), 'utf8')).toContain('Imported replies')
    expect(await medmake(['release', 'verify', 'i'], { cwd })).toMatchObject({ code: 0, stderr: '' })
  })

  it('is taken when another program packed it, long names included', async () => {
    const folder = temporaryFolder()
    cpSync(join(releases(), 'r/bundle'), join(folder, 'again'), { recursive: true })
    for (const format of ['gnu', 'pax', 'ustar']) {
      const packed = join(folder, `${format}.tar.gz`)
      await execa('tar', [`--format=${format}`, '-czf', packed, './again'], { cwd: folder })
      expect(await run('release', 'verify', packed)).toMatchObject({ code: 0, stderr: '' })
    }
  })

  it('holds a README for who gets it, and its own runs asked for each reply', () => {
    const readme = readFileSync(join(releases(), 'r/bundle/README.md'), 'utf8')
    expect(readme).toContain('2 runs of 1 models on 2 benchmarks')
    expect(readme).toContain('medmake release verify')
    expect(readme).not.toContain('Imported')
  })
})

describe('an archive from a stranger', () => {
  it('is refused when it is none', async () => {
    const cwd = createWorkspace({ 'v.tar.gz': 'no archive' })
    const plain = await medmake(['release', 'verify', 'v.tar.gz'], { cwd })
    expect(plain.code).toBe(1)
    expect(plain.stderr).toContain('[release/bad-archive]')
  })
})

it('a folder of other things is told as no release, whatever lies in it', async () => {
  const cwd = createWorkspace()
  symlinkSync('elsewhere', join(cwd, 'link'))
  expect((await medmake(['release', 'verify', '.'], { cwd })).stderr).toContain('[release/missing]')
})

describe('a folder from a stranger', () => {
  it('is refused for a link, and for a FIFO instead of waiting for it', async () => {
    const linked = copy((folder) => symlinkSync('/etc/hostname', join(folder, 'site/extra.txt')))
    const refused = await run('release', 'verify', linked)
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('site/extra.txt is a link')
    const piped = copy(() => undefined)
    await execa('mkfifo', [join(piped, 'records/pipe')])
    for (const verb of ['verify', 'reproduce'])
      expect((await run('release', verb, piped)).stderr).toContain('records/pipe is a FIFO')
  })

  const rewritten = async (change: (release: Omit<ReleaseDocument, 'digest'>) => object): Promise<string> => {
    const folder = copy(() => undefined)
    const { digest: _digest, ...release } = await readRelease(folder)
    const changed = { ...release, ...change(release) }
    writeFileSync(join(folder, 'release.json'), printRelease(changed).text)
    return folder
  }

  it('is not believed what it says of its runs, though every digest is right', async () => {
    const folder = await rewritten(({ runs }) => ({
      runs: runs.map((each, index) => (index === 0 ? { ...each, model: 'openai/gpt-5' } : each)),
    }))
    const result = await run('release', 'verify', folder)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('runs[0] is not what the records say: model')
  })

  it('is not believed what a record says of its run', async () => {
    const path = 'records/open/exact:model=fake_a.json'
    const folder = copy(() => undefined)
    const card = readFileSync(join(folder, path), 'utf8')
    writeFileSync(join(folder, path), card.replace('"model": "fake/a"', '"model": "openai/gpt-5"'))
    const { digest: _digest, ...release } = await readRelease(folder)
    const changed = await digestFile(folder, path)
    const files = release.files.map((file) => (file.path === path ? changed : file))
    writeFileSync(join(folder, 'release.json'), printRelease({ ...release, files }).text)
    const result = await run('release', 'verify', folder)
    expect(result.code).toBe(1)
    expect(result.stderr).toContain("the record's model is openai/gpt-5, the run's is fake/a")
  })

  it('writes nowhere else, whatever paths and names it gives', async () => {
    const outside = join(temporaryFolder(), 'outside')
    mkdirSync(outside)
    const folder = copy(() => undefined)
    const text = readFileSync(join(folder, 'release.json'), 'utf8')
    writeFileSync(
      join(folder, 'release.json'),
      text.replace('"path": "records/', `"path": "records/../../../..${outside}/`),
    )
    for (const verb of ['verify', 'reproduce']) {
      const result = await run('release', verb, folder)
      expect(result.code).toBe(1)
      expect(result.stderr).toContain('[release/damaged]')
    }
    expect(readdirSync(outside)).toEqual([])
  })
})

describe('a signature', () => {
  const signers = (): string => join(keys, 'signers')

  it('is checked against the allowed signers, on the folder and on the archive, also of one made again', async () => {
    expect(await run('release', 'create', 'r', '--suites', 'open')).toMatchObject({ code: 0 })
    for (const name of ['r', archive()]) {
      const result = await run('release', 'verify', name, '--signers', signers())
      expect(result).toMatchObject({ code: 0, stderr: '' })
      expect(result.stdout).toContain('signed by publisher@site.example')
    }
  })

  it('can be checked with ssh-keygen alone, as the README says', async () => {
    const cwd = join(releases(), 'r/bundle')
    expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toContain('-n medmake-release -s release.json.sig')
    const args = ['-Y', 'verify', '-f', signers(), '-I', 'publisher@site.example', '-n', 'medmake-release']
    const { stdout } = await execa('ssh-keygen', [...args, '-s', 'release.json.sig'], {
      cwd,
      inputFile: join(cwd, 'release.json'),
    })
    expect(stdout).toContain('Good "medmake-release" signature for publisher@site.example')
  })

  it('is of whom a later line names where the first one of its key is for something else', async () => {
    const key = readFileSync(join(keys, 'publisher.pub'), 'utf8')
    const lines = join(keys, 'lines')
    const isFor = async (...namespaces: readonly string[]): Promise<string> => {
      writeFileSync(
        lines,
        namespaces.map((name) => `${name}@site.example namespaces="${name}" ${key}`).join(''),
      )
      return (await run('release', 'verify', 'r', '--signers', lines)).stdout
    }
    expect(await isFor('git', 'medmake-release')).toContain('signed by medmake-release@site.example')
    expect(await isFor('git', 'file')).not.toContain('signed by')
  })

  it('fails for another key, another text and none', async () => {
    const other = join(keys, 'others')
    writeFileSync(other, `stranger@site.example ${readFileSync(join(keys, 'stranger.pub'), 'utf8')}`)
    expect((await run('release', 'verify', 'r', '--signers', other)).stderr).toContain(
      '[release/bad-signature]',
    )
    const { digest: _digest, ...release } = await readRelease(join(releases(), 'r/bundle'))
    const changed = copy((folder) =>
      writeFileSync(join(folder, 'release.json'), printRelease({ ...release, date: '2020-01-01' }).text),
    )
    const result = await run('release', 'verify', changed, '--signers', signers())
    expect(result.code).toBe(1)
    expect(result.stderr).toContain('[release/bad-signature]')
    expect(await run('release', 'create', 'plain', '--suites', 'open')).toMatchObject({ code: 0 })
    const unread = await run('release', 'verify', 'r', '--signers', 'nowhere')
    expect(unread).toMatchObject({ code: 2 })
    expect(unread.stderr).toContain('nowhere does not exist')
    expect((await run('release', 'verify', 'r')).stdout).toContain('taken as released: who signed it')
    expect((await run('release', 'verify', 'nothing.tar.gz')).stderr).toMatch(
      /no release in .*\/nothing.tar.gz/,
    )
    const unsigned = await run('release', 'verify', 'plain', '--signers', signers())
    expect(unsigned.code).toBe(1)
    expect(unsigned.stderr).toContain('the release has no release.json.sig')
  })

  it('leaves no release behind where the key is none', async () => {
    const result = await run('release', 'create', 'no', '--suites', 'open', '--sign', signers())
    expect(result.code).toBe(2)
    expect(result.stderr).toContain('[release/not-signed]')
    expect(readdirSync(releases())).not.toContain('no')
  })
})
