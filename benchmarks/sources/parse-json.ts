import { ProblemError } from '../../cache/problems/problem.ts'
import { JsonError, loads } from '../python/json.ts'
import type { PyValue } from '../python/value.ts'

/**
 * JSON as Python reads it, dicts as Maps in file order.
 * @param asWritten refuses a key that an object has twice, and keeps the digits of numbers
 * @throws ProblemError `benchmarks/json` with line and column
 */
export const parseJson = (text: string, file: string, asWritten?: boolean): PyValue => {
  try {
    return loads(text, asWritten)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw new ProblemError(
      {
        code: 'benchmarks/json',
        message: `the file is not JSON: ${error.message}`,
        where: { file, line: error.line, column: error.column },
        remedy: 'Fetch or export the file again.',
      },
      { cause: error },
    )
  }
}
