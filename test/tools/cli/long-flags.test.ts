import { describe, expect, it } from 'vitest'
import { expandPrefixes } from '../../../tools/cli/refused-words.ts'

const known = ['--suite', '--suites', '--schema-path', '--schema-validation', '--output-path']

describe('abbreviated flags', () => {
  it('are written out where they fit one flag only', () => {
    expect(expandPrefixes(['--out', 'x', '--output=y'], known)).toEqual([
      '--output-path',
      'x',
      '--output-path=y',
    ])
  })

  it('are left alone where they are whole, short, unknown or behind --', () => {
    const words = ['--suite', '-o', '--nope', '--', '--out']
    expect(expandPrefixes(words, known)).toEqual(words)
  })

  it('take a value behind = in short, too, as in HELM: results went to a folder named =out', () => {
    expect(expandPrefixes(['-o=out', '-m=5', '-o=a=b', '-o=', '--', '-o=x'], known)).toEqual([
      '-oout',
      '-m5',
      '-oa=b',
      '-o=',
      '--',
      '-o=x',
    ])
  })

  it('mean what they mean to HELM’s users: its documentation writes --schema, and helm-run knows no --confirm', () => {
    expect(expandPrefixes(['--schema', 'x'], known)).toEqual(['--schema-path', 'x'])
    expect(expandPrefixes(['--conf', 'x'], ['--confirm', '--conf-paths'])).toEqual(['--conf-paths', 'x'])
  })

  it('are a problem where several fit', () => {
    expect(() => expandPrefixes(['--schema-'], known)).toThrow('--schema-path or --schema-validation')
  })
})
