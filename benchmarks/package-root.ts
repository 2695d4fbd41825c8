import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(import.meta.url)

/** True when this file runs as TypeScript source, false when it runs from the bundle in `dist/`. */
export const runsFromSource: boolean = here.endsWith('.ts')

/** Folder of the installed package: the nearest one above this file that has a `package.json`. */
export const packageRoot: string = (() => {
  let folder = dirname(here)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()
