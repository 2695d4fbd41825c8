import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../../cache/package-root.ts'

export const toolVersion = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}
