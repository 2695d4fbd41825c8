import { readFile } from '../../cache/files/read.ts'
import { loads } from '../../benchmarks/python/json.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { ProblemError, type Problem, reasonOf } from '../../cache/problems/problem.ts'
import type { Form } from './forms/form.ts'
import { jsonPieces } from './write/json-pieces.ts'

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
        message: `${file} is not JSON: ${reasonOf(error)}`,
        where: { file },
        remedy: 'It is damaged or was cut short: run the entry again.',
      },
      { cause: error },
    )
  }
}

const formed = <T>(form: Pick<Form<T>, 'read'>, value: PyValue, file: string, at: string): T => {
  try {
    return form.read(value, at)
  } catch (error) {
    throw error instanceof ProblemError ? located(error, file) : error
  }
}

/** Reads a small JSON file whole. @throws ProblemError `tools/bad-json`, `tools/not-helm-form` */
export const readJson = async <T>(file: string, form: Form<T>): Promise<T> =>
  formed(form, parsed(await readFile(file, 'utf8'), file), file, '')

/** Where a list of a file stands: `key` '' where the file itself is the list. */
interface ListPlace {
  readonly file: string
  readonly key: string
}

/**
 * Reads the elements of one list of a JSON file, one at a time.
 * @param quick reads the common kind of element faster than its form does; undefined for any other
 */
export const readElements = async function* <T>(
  { file, key }: ListPlace,
  form: Pick<Form<T>, 'read'>,
  quick: (text: string) => T | undefined = () => undefined,
): AsyncGenerator<T> {
  let met = false
  const parse = (text: string): { readonly element: T } | { readonly value: PyValue } => {
    const element = quick(text)
    return element === undefined ? { value: loads(text) } : { element }
  }
  for await (const { key: own, index, text, value } of jsonPieces(file, [key], parse)) {
    met ||= own === key
    if (index < 0) continue
    if (value !== undefined && 'element' in value) yield value.element
    else yield formed(form, value?.value ?? parsed(text, file), file, `${key}[${index}]`)
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
