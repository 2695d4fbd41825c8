import { dirname, relative, sep } from 'node:path'
import { realpathSync } from 'node:fs'
import { digestJson, type Digest } from '../values/digest.ts'
import { codeFiles } from './code-files.ts'

/**
 * What a piece of a user's code is: the names, seen from it, and bytes of all files that it rests on. The same wherever
 * its folder lies.
 *
 * @param digestOf a file's own digest
 */
export const codeDigest = async (
  entry: string,
  digestOf: (file: string) => Promise<string>,
): Promise<Digest<'code'>> => {
  const home = dirname(realpathSync(entry))
  const files: [name: string, digest: string][] = []
  for (const file of codeFiles(entry))
    files.push([relative(home, file).split(sep).join('/'), await digestOf(file)])
  return digestJson<'code'>(files)
}
