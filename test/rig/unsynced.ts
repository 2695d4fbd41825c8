import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/**
 * Watches a program for names that a power cut may take away: made or moved into a folder whose list of names was not
 * brought to disk since.
 * @returns the program's environment, and what it left so when it ended, as paths
 */
export const watchNames = (): {
  readonly env: Readonly<Record<string, string>>
  readonly unsynced: () => readonly string[]
} => {
  const folder = temporaryFolder()
  const [path, found] = [join(folder, 'watch.cjs'), join(folder, 'unsynced.json')]
  writeFileSync(
    path,
    `const fs = require('node:fs')
const { dirname, resolve } = require('node:path')
const { openSync, fsyncSync, closeSync, writeFileSync, existsSync } = fs
const names = new Set()
const folders = new Map()
const watch = (object, name, at) => {
  const real = object[name]
  object[name] = (...args) => {
    const result = real.apply(object, args)
    const done = () => names.add(resolve(String(args[at])))
    if (result instanceof Promise) return result.then((value) => (done(), value))
    done()
    return result
  }
}
for (const [name, at] of [['mkdirSync', 0], ['linkSync', 1], ['renameSync', 1]]) watch(fs, name, at)
for (const [name, at] of [['mkdir', 0], ['link', 1], ['rename', 1]]) watch(fs.promises, name, at)
fs.openSync = (path, ...rest) => {
  const file = openSync(path, ...rest)
  folders.set(file, resolve(String(path)))
  return file
}
fs.closeSync = (file) => {
  folders.delete(file)
  closeSync(file)
}
fs.fsyncSync = (file) => {
  fsyncSync(file)
  for (const name of names) if (dirname(name) === folders.get(file)) names.delete(name)
}
require('node:module').syncBuiltinESMExports()
process.on('exit', () => writeFileSync(${JSON.stringify(found)}, JSON.stringify([...names].filter((name) => existsSync(name)))))
`,
  )
  return {
    env: { NODE_OPTIONS: `--require ${path}` },
    unsynced: () => JSON.parse(readFileSync(found, 'utf8')) as readonly string[],
  }
}
