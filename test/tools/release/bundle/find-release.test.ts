import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findRelease, releaseName } from '../../../../tools/release/bundle/find-release.ts'
import { temporaryFolder } from '../../../rig/temporary-folder.ts'
import { writeFiles } from '../../../rig/workspace.ts'

describe('A release is found', () => {
  const output = temporaryFolder()
  writeFiles(output, {
    'releases/v1/bundle/release.json': '',
    'releases/v1/v1.tar.gz': '',
    'releases/half/notes.txt': '',
    'cwd/copy/release.json': '',
    'cwd/around/bundle/release.json': '',
    'cwd/other/bundle/else.json': '',
    'cwd/own.tar.gz': '',
  })
  const cwd = join(output, 'cwd')
  const released = join(output, 'releases/v1')

  test.each([
    ['v1', { bundle: join(released, 'bundle'), archive: join(released, 'v1.tar.gz') }],
    ['v1.tar.gz', { bundle: join(released, 'v1.tar.gz') }],
    ['copy', { bundle: join(cwd, 'copy') }],
    ['around', { bundle: join(cwd, 'around/bundle') }],
    ['other', { bundle: join(cwd, 'other') }],
    ['own.tar.gz', { bundle: join(cwd, 'own.tar.gz') }],
    ['none.tar.gz', { bundle: join(cwd, 'none.tar.gz') }],
    ['half', { bundle: join(output, 'releases/half/bundle') }],
    ['none', { bundle: join(output, 'releases/none/bundle') }],
  ])('by %s.', (name, place) => {
    expect(findRelease(name, output, cwd)).toEqual(place)
  })

  test('by its name with the ending of its archive or without.', () => {
    expect(['v1', 'v1.tar.gz', 'v1.tar.gz.sig', 'v1xtar.gz'].map(releaseName)).toEqual([
      'v1',
      'v1',
      'v1.tar.gz.sig',
      'v1xtar.gz',
    ])
  })
})
