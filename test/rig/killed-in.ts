import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** Environment of a program that is killed in the midst of writing the first file whose path matches, or before it moves one there. */
export const killedIn = (file: RegExp): Readonly<Record<string, string>> => {
  const path = join(temporaryFolder(), 'killed.cjs')
  writeFileSync(
    path,
    `const fs = require('node:fs')
const { readFileSync, writeFileSync } = fs
const { copyFile, rename } = fs.promises
const half = (write) => (path, content, options) => {
  if (!${String(file)}.test(path)) return write(path, content, options)
  writeFileSync(path, content.slice(0, content.length >> 1))
  process.kill(process.pid, 'SIGKILL')
}
fs.writeFileSync = half(writeFileSync)
fs.promises.writeFile = half(fs.promises.writeFile)
fs.promises.copyFile = (from, to) => half(() => copyFile(from, to))(to, readFileSync(from))
fs.promises.rename = (from, to) => {
  if (${String(file)}.test(to)) process.kill(process.pid, 'SIGKILL')
  return rename(from, to)
}
require('node:module').syncBuiltinESMExports()
`,
  )
  return { NODE_OPTIONS: `--require ${path}` }
}
