import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import { decodeText, readBytes, universalNewlines } from '../sources/read-text.ts'

/**
 * A prompt file's text with line ends as Python reads them.
 * @param where what names the file
 * @throws ProblemError `benchmarks/empty-file`, `benchmarks/byte-order-mark`, `benchmarks/not-utf8`
 */
export const readPrompt = async (file: string, what: string, where?: Place): Promise<string> => {
  const text = universalNewlines(decodeText(await readBytes(file, what, where), file))
  if (text.startsWith('\ufeff'))
    throw new ProblemError({
      code: 'benchmarks/byte-order-mark',
      message: `the ${what} starts with a byte order mark, which would be sent to every model`,
      where: { file, line: 1, column: 1 },
      remedy: 'Save it as UTF-8 without BOM.',
    })
  if (text.trim() !== '') return text
  throw new ProblemError({
    code: 'benchmarks/empty-file',
    message: `the ${what} ${file} is empty`,
    where: { file },
    remedy: 'Write the prompt into it; {column} stands for a cell of the data.',
  })
}
