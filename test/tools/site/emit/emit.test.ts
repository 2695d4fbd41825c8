import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../../cache/values/digest.ts'
import { emitSite } from '../../../../tools/site/emit/emit.ts'
import { isCurrent, MANIFEST, readManifest } from '../../../../tools/site/emit/manifest.ts'
import { requireSiteFolder } from '../../../../tools/site/emit/site-folder.ts'
import { siteInputs } from '../../../../tools/site/emit/site-inputs.ts'
import type { SiteSuite } from '../../../../tools/site/site.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { SECRET, sketchSuite } from '../sketch-site.ts'

/** Largest script, in bytes. */
const SHARD_BYTES = 256 * 1024

const assets = { answers: '', script: '/* script */', style: '/* style */' }

const emit = async (folder: string, suites: readonly SiteSuite[] = [sketchSuite()]): Promise<string> => {
  const inputs = siteInputs(suites, assets)
  await emitSite(folder, { suites, assets, inputs })
  return inputs
}

/** Every file's path and digest. */
const contents = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), digestOf<'file'>(readFileSync(path))]),
  )

async function* powerCut(): AsyncGenerator<never> {
  await Promise.resolve()
  yield* []
  throw new Error('power cut')
}

describe('a site', () => {
  test('has the same bytes for the same results', async () => {
    const [one, two] = [temporaryFolder(), temporaryFolder()]
    await emit(one)
    await emit(two)
    expect(contents(one)).toEqual(contents(two))
    expect(contents(one).size).toBeGreaterThan(10)
  })

  test('is known as current until a file goes, changes its length, or the results change', async () => {
    const folder = temporaryFolder()
    const inputs = await emit(folder)
    expect(isCurrent(folder, inputs)).toBe(true)
    expect(isCurrent(folder, siteInputs([sketchSuite('another record')], assets))).toBe(false)
    rmSync(join(folder, 'index.html'))
    expect(isCurrent(folder, inputs)).toBe(false)
  })

  test('leaves the files of unchanged runs alone and mends what was lost', async () => {
    const folder = temporaryFolder()
    await emit(folder)
    const before = contents(folder)
    const chunk = [...before.keys()].find((path) => path.endsWith('/p0.js')) ?? ''
    const run = chunk.replace('/p0.js', '')
    const others = [...before.keys()].filter((path) => path.startsWith('runs/') && !path.startsWith(run))
    const inodes = (): readonly number[] => others.map((path) => statSync(join(folder, path)).ino)
    const untouched = inodes()
    rmSync(join(folder, chunk))
    await emit(folder)
    expect(contents(folder)).toEqual(before)
    expect(inodes()).toEqual(untouched)
  })

  test('removes what it wrote earlier and no longer has, and nothing else', async () => {
    const folder = temporaryFolder()
    await emit(folder)
    writeFileSync(join(folder, 'CNAME'), 'example.org')
    const { board, runs } = sketchSuite()
    const fewer = { board, runs: runs.slice(0, 1) }
    await emit(folder, [fewer])
    const pages = [...contents(folder).keys()].filter((path) => /^runs\/[^/]*\.html$/.test(path))
    expect(pages.length).toBe(1)
    expect(existsSync(join(folder, 'CNAME'))).toBe(true)
  })

  test('cut short is not taken for a whole one, and is finished next time', async () => {
    const folder = temporaryFolder()
    await emit(folder)
    const whole = contents(folder)
    const changed = sketchSuite('another record')
    const broken: SiteSuite = {
      ...changed,
      runs: changed.runs.map((run, index) => (index === 1 ? { ...run, instances: powerCut } : run)),
    }
    await expect(emit(folder, [broken])).rejects.toThrow('power cut')
    expect(readManifest(folder)?.inputs).toBe('')
    await emit(folder)
    expect(contents(folder)).toEqual(whole)
  })

  test('is written to a new or empty folder or over a site of ours, and into no other', async () => {
    const folder = temporaryFolder()
    const broken = sketchSuite()
    const runs = broken.runs.map((run) => ({ ...run, instances: powerCut }))
    requireSiteFolder(join(folder, 'absent'))
    for (const name of ['.nojekyll', '.DS_Store', 'CNAME']) writeFileSync(join(folder, name), '')
    requireSiteFolder(folder)
    await expect(emit(folder, [{ ...broken, runs }])).rejects.toThrow('power cut')
    requireSiteFolder(folder)
    await emit(folder)
    writeFileSync(join(folder, MANIFEST), '{')
    requireSiteFolder(folder)
    const other = temporaryFolder()
    writeFileSync(join(other, MANIFEST), '{"name": "an app of mine"}')
    expect(() => requireSiteFolder(other)).toThrow('holds no site')
  })

  test('ignores a manifest that names files outside of it', async () => {
    const parent = temporaryFolder()
    const folder = join(parent, 'site')
    await emit(folder)
    writeFileSync(join(parent, 'precious.txt'), 'mine')
    writeFileSync(
      join(folder, MANIFEST),
      JSON.stringify({ inputs: 'x', files: { '../precious.txt': 4 }, runs: {} }),
    )
    await emit(folder)
    expect(readFileSync(join(parent, 'precious.txt'), 'utf8')).toBe('mine')
  })

  test('has no file of data above its size and no trace of private instances', async () => {
    const folder = temporaryFolder()
    await emit(folder)
    const paths = [...contents(folder).keys()]
    expect(paths.filter((path) => path.includes('private'))).not.toEqual([])
    for (const path of paths) {
      if (path.endsWith('.js')) expect(statSync(join(folder, path)).size).toBeLessThanOrEqual(SHARD_BYTES)
      if (!path.includes('private')) continue
      expect(readFileSync(join(folder, path), 'utf8')).not.toContain(SECRET)
      expect(readFileSync(join(folder, path), 'utf8')).not.toContain('Question 1')
      // Numbers for comparisons, or a page.
      expect(path).toMatch(/^data\/scores-|\.html$/)
    }
  })
})
