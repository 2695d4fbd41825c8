import { createHash } from 'node:crypto'
import { defined } from '../../cache/values/defined.ts'
import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { Script } from 'node:vm'
import { replaceFile } from '../../cache/files/write.ts'
import { underStartFlags } from '../../cache/processes/engine-flags.ts'

/** What Node calls with the text of each CommonJS file. */
interface Compiler {
  _compile: (this: { readonly exports: object }, source: string, file: string, ...rest: unknown[]) => unknown
}

interface Fresh {
  readonly place: string
  /** What was compiled, and by what. */
  readonly text: string
  readonly script: Script
}

const HEAD = '(function (exports, require, module, __filename, __dirname) { '
const SEAL_BYTES = 32
const THIS_ENGINE = JSON.stringify([process.versions, process.arch, process.config])

/**
 * From now on CommonJS files of a folder are compiled from what was kept of them.
 *
 * @param own the files' folder; all others, ES modules, and those that call `import()`, which Node serves to no such script, are
 * left to Node
 * @param folder where it is kept
 * @param engine what compiles: code that another one made is not run
 * @returns keeps what was compiled anew, as it now is: the more functions were entered by then, the more is compiled.
 * It is given what makes the folder, false where that may not be used
 */
export const useCodeCache = (
  own: string,
  folder: string,
  engine: string = THIS_ENGINE,
): ((makeReady: () => boolean) => void) => {
  const compiler = Module.prototype as unknown as Compiler
  const compile = compiler._compile
  const flags = cachedDataVersionTag()
  const fresh: Fresh[] = []
  compiler._compile = function (source, file, ...rest) {
    // A workspace's CommonJS requires `medmake`, which is an ES module.
    if (!file.startsWith(own + sep) || rest[0] === 'module' || /(?<![.\w$`])import\(/.test(source))
      return compile.call(this, source, file, ...rest)
    const place = join(folder, relative(own, file).replaceAll(sep, '_'))
    const text = engine + source
    const cachedData = readKept(place, text)
    const options = defined({ filename: file, columnOffset: -HEAD.length, cachedData })
    const script = underStartFlags(() => new Script(`${HEAD}${source}\n})`, options))
    if (script.cachedDataRejected !== false) fresh.push({ place, text, script })
    const run = script.runInThisContext() as (this: object, ...names: unknown[]) => unknown
    return run.call(this.exports, this.exports, createRequire(file), this, file, dirname(file))
  }
  return (makeReady) => {
    underStartFlags(() => {
      // Whoever set other flags on its way made code that the next start would refuse.
      if (fresh.length > 0 && cachedDataVersionTag() === flags && makeReady())
        for (const one of fresh) keep(one)
    })
  }
}

/**
 * V8 itself checks neither text nor code, and runs what a damaged disk made of them; and it takes code of any build that
 * has its version. Node 20.19 and 20.20 do, and what one compiled for the other calls wrong functions.
 */
const seal = (text: string, code: Uint8Array): Buffer =>
  createHash('sha256').update(text).update(code).digest()

const readKept = (place: string, text: string): Buffer | undefined => {
  try {
    const bytes = readFileSync(place)
    const code = bytes.subarray(SEAL_BYTES)
    return seal(text, code).equals(bytes.subarray(0, SEAL_BYTES)) ? code : undefined
  } catch {
    // Not kept yet, or not readable: compiled anew.
    return undefined
  }
}

const keep = ({ place, text, script }: Fresh): void => {
  const code = script.createCachedData()
  try {
    replaceFile(place, Buffer.concat([seal(text, code), code]), { lasting: false })
  } catch {
    // A full disk, or one to read only: the next start compiles again.
  }
}
