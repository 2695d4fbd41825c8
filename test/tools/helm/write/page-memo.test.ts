import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DISPLAY_FILES, PAGE_SOURCES, type PageTask } from '../../../../tools/helm/write/display-files.ts'
import { PageMemo } from '../../../../tools/helm/write/write-pages.ts'
import type { HelmFolder } from '../../../../tools/helm/read-suite.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'

test('A page is written anew when its run, itself or what it shows changed, and only then', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'sums:model=a')
  mkdirSync(path)
  const write = (): void => {
    for (const name of [...PAGE_SOURCES, ...DISPLAY_FILES]) writeFileSync(join(path, name), '[]')
  }
  write()
  const run = { path } as HelmFolder
  const task: PageTask = { path, shown: ['exact_match'], method: 'generation' }
  const first = await PageMemo.read([run])
  expect(first.isCurrent(run, task)).toBe(false)
  first.add(run, task)
  await first.write()
  const isCurrent = async (asked: PageTask): Promise<boolean> =>
    (await PageMemo.read([run])).isCurrent(run, asked)
  expect(await isCurrent(task)).toBe(true)
  expect(await isCurrent({ ...task, shown: ['exact_match', 'f1_score'] })).toBe(false)
  expect(await isCurrent({ ...task, method: 'language_modeling' })).toBe(false)
  expect(await isCurrent({ ...task, outputMappingPattern: '([A-D])' })).toBe(false)
  expect(readFileSync(join(folder, '.medmake-pages.json'), 'utf8')).toMatch(
    /^\{\n "sums:model=a": "[0-9a-f]{64}"\n\}\n$/,
  )
  for (const name of [...PAGE_SOURCES, ...DISPLAY_FILES]) {
    const memo = await PageMemo.read([run])
    memo.add(run, task)
    await memo.write()
    appendFileSync(join(path, name), ' ')
    expect(await isCurrent(task), name).toBe(false)
    rmSync(join(path, name))
    expect(await isCurrent(task), name).toBe(false)
    write()
  }
  const mapped = { ...task, outputMappingPattern: '([A-D])' }
  const memo = await PageMemo.read([run])
  memo.add(run, mapped)
  await memo.write()
  expect(await isCurrent(mapped)).toBe(true)
  expect(await isCurrent({ ...task, outputMappingPattern: '([A-E])' })).toBe(false)
  expect(await isCurrent(task)).toBe(false)
  writeFileSync(join(folder, '.medmake-pages.json'), '{')
  expect(await isCurrent(mapped)).toBe(false)
})
