import { strip } from '../../benchmarks/python/text.ts'
import { SPACE } from '../../benchmarks/python/unicode.ts'

const TAGGED = new RegExp(`<[${SPACE}]*sql[${SPACE}]*>(.*?)</?[${SPACE}]*sql[${SPACE}]*>`, 'isu')
const LANGUAGE_LINE = /(?<=^|\n)sql\n/g

/**
 * The query in a model's answer as HELM takes it (HELM.md T14): what stands between `<sql>` tags, else
 * all of it; without back-ticks, without lines that say `sql`.
 */
export const predictedQuery = (answer: string): string => {
  const text = strip(answer)
  const inner = TAGGED.exec(text)?.[1]
  const query = inner === undefined ? text : strip(inner)
  return strip(query.replaceAll('`', '')).replaceAll(LANGUAGE_LINE, '')
}
