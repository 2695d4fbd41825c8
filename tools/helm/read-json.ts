import { readFile } from 'node:fs/promises'
import { loads } from '../../benchmarks/python/json.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { ProblemError, type Problem } from '../../cache/problem.ts'
import type { Form } from './form.ts'
import { jsonPieces } from './json-pieces.ts'

const located = (error: ProblemError, file: string): ProblemError => {
  const place = (problem: Problem): Problem => ({ ...problem, where: { ...problem.where, file } })
  return new ProblemError(error.problems.map(place), { exitCode: error.exitCode, cause: error })
}

const parsed = (text: string, file: string): PyValue => {
  try {
    return loads(text)
  } catch (error) {
    throw new ProblemError(
      {
        code: 'tools/bad-json',
        message: `${file} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
        where: { file },
        remedy: 'It is damaged or was cut short: run the entry again.',
      },
      { cause: error },
    )
  }
}

/** Reads a value of a file by its form, naming the file in what goes wrong. */
export const readForm = <T>(form: Form<T>, text: string, file: string, at = ''): T => {
  const value = parsed(text, file)
  try {
    return form.read(value, at)
  } catch (error) {
    throw error instanceof ProblemError ? located(error, file) : error
  }
}

/** Reads a small JSON file whole. @throws ProblemError `tools/bad-json`, `tools/not-helm-form` */
export const readJson = async <T>(file: string, form: Form<T>): Promise<T> =>
  readForm(form, await readFile(file, 'utf8'), file)

/** Reads the elements of one list of a JSON file, one at a time; `key` '' where the file itself is the list. */
export const readElements = async function* <T>(file: string, key: string, form: Form<T>): AsyncGenerator<T> {
  let met = false
  for await (const piece of jsonPieces(file, [key])) {
    if (piece.index >= 0) yield readForm(form, piece.text, file, `${key}[${piece.index}]`)
    met = true
  }
  if (!met && key !== '') {
    throw new ProblemError({
      code: 'tools/not-helm-form',
      message: `${file} has no ${key}.`,
      where: { file, field: key },
      remedy: 'Check that the file is what helm-run wrote; if it is damaged, run the entry again.',
    })
  }
}
