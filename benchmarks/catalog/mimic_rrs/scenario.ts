import { safeText, ProblemError } from '../../../cache/problems/problem.ts'
import { dataFile, type SourceData, type TextFile } from '../../declaration/data/scenario-data.ts'
import { strip } from '../../python/text.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { universalNewlines } from '../../sources/read-text.ts'

/**
 * Findings and impressions line by line; a report that lacks one of them is left out.
 * @throws ProblemError `benchmarks/unequal-lines`
 */
export function* instances(data: SourceData): Generator<DraftInstance> {
  const [findings, impressions] = [dataFile(data.texts, 'findings'), dataFile(data.texts, 'impressions')]
  const [found, concluded] = [linesOf(findings), linesOf(impressions)]
  if (found.length !== concluded.length)
    throw new ProblemError({
      code: 'benchmarks/unequal-lines',
      safe: safeText`the files have different numbers of lines`,
      message: `there are ${found.length} lines of findings and ${concluded.length} of impressions`,
      where: { file: found.length > concluded.length ? findings.file : impressions.file },
      remedy: 'Line n of both files must be one report. A blank line at the end of one of them counts, too.',
    })
  for (const [index, text] of found.entries()) {
    const impression = concluded[index] ?? ''
    if (text !== '' && impression !== '')
      yield { input: { text }, references: [{ text: impression, tags: ['correct'] }], split: 'test' }
  }
}

/** As Python iterates over a text file: the last line may end without a newline, and none follows a last newline. */
const linesOf = ({ text }: TextFile): readonly string[] => {
  const lines = universalNewlines(text).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map(strip)
}
