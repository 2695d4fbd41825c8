import { createRequire } from 'node:module'
import type Parse from '@pushcorn/hocon-parser'
import { homeFolder } from '../../cache/files/home-folder.ts'
import { readFile } from '../../cache/files/read.ts'
import { ProblemError, type Place, reasonOf } from '../../cache/problems/problem.ts'

/**
 * Reads a HOCON file as plain JSON values.
 * `include` and substitutions are refused: a run-entry file or a key file must say everything itself,
 * and the parser would otherwise open any path or URL that an include names.
 *
 * @throws ProblemError `config/missing`, `config/hocon` with line and column
 */
export const readHocon = async (file: string): Promise<unknown> => {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof ProblemError) throw error
    throw new ProblemError(
      {
        code: 'config/missing',
        message: `${file} can't be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
        where: { file },
        remedy: 'Check the path; it is taken relative to the folder you run in.',
      },
      { cause: error },
    )
  }
  return parseHocon(text, file)
}

/** Parses HOCON text; `file` is only named in errors. */
export const parseHocon = async (given: string, file: string): Promise<unknown> => {
  // As editors of Windows begin a file: it would be part of the first key.
  const text = given.replace(/^\uFEFF/, '')
  const bare = withoutStringsAndComments(text)
  refuse(
    bare,
    file,
    endOf(/^[^\S\n]*include\b(?!\s*[:=])/m.exec(bare)),
    'include',
    'Copy the entries of the included file into this one.',
  )
  refuse(bare, file, endOf(/\$\{/.exec(bare)), 'a substitution (${…})', 'Write the value itself.')
  refuse(bare, file, tooDeep(bare), `nesting deeper than ${DEEPEST}`, 'Take out brackets within brackets.')
  // The package asks for the home while it loads, and throws where there is none.
  process.env['HOME'] ||= homeFolder(process.env)
  const parse = createRequire(import.meta.url)('@pushcorn/hocon-parser') as typeof Parse
  try {
    return await parse({ text, strict: true })
  } catch (error) {
    const message = reasonOf(error)
    const [, line, column] = /line: (\d+), col: (\d+)/.exec(message) ?? []
    const where: Place = line && column ? { file, line: Number(line), column: Number(column) } : { file }
    throw new ProblemError(
      {
        code: 'config/hocon',
        message: message.replace(/ \(Source:.*$/s, ''),
        where,
        remedy:
          'Check brackets and quotes here; put a value that holds any of : { } [ ] , # into double quotes.',
      },
      { cause: error },
    )
  }
}

/** The package takes minutes for a thousand brackets within each other, and the stack for some more. */
const DEEPEST = 100

/** Behind the first bracket that lies too deep. */
const tooDeep = (bare: string): number | undefined => {
  let depth = 0
  for (const found of bare.matchAll(/[[{\]}]/g)) {
    depth += /[[{]/.test(found[0]) ? 1 : -1
    if (depth > DEEPEST) return endOf(found)
  }
  return undefined
}

const endOf = (found: RegExpExecArray | null): number | undefined =>
  found === null ? undefined : found.index + found[0].length

/** @param end behind what is not supported; undefined where nothing is */
const refuse = (bare: string, file: string, end: number | undefined, what: string, remedy: string): void => {
  if (end === undefined) return
  const before = bare.slice(0, end).split('\n')
  throw new ProblemError({
    code: 'config/hocon',
    message: `${what} is not supported`,
    where: { file, line: before.length, column: (before.at(-1)?.search(/\S/) ?? 0) + 1 },
    remedy,
  })
}

/** Same length and lines, but nothing inside quotes or comments can look like syntax. */
const withoutStringsAndComments = (text: string): string =>
  text.replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|(?:#|\/\/)[^\n]*/g, (found) =>
    found.replace(/[^\n]/g, ' '),
  )
