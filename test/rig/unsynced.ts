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
const forget = (folder) => {
  for (const name of names) if (dirname(name) === folder) names.delete(name)
}
const watch = (object, name, at) => {
  const real = object[name]
  object[name] = (...args) => {
    const result = real.apply(object, args)
    const path = resolve(String(args[at]))
    const done = () => {
      // What a folder holds moves with it.
      const from = resolve(String(args[0]))
      if (at === 1) for (const each of names) if (each.startsWith(from + '/')) names.add(path + each.slice(from.length))
      names.add(path)
    }
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
  forget(folders.get(file))
}
const { open } = fs.promises
fs.promises.open = async (path, ...rest) => {
  const file = await open(path, ...rest)
  const sync = file.sync.bind(file)
  file.sync = () => sync().then(() => forget(resolve(String(path))))
  return file
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
