import { ProblemError } from '../../../cache/problems/problem.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { title } from '../../python/text.ts'
import { isDict } from '../../python/kinds.ts'
import type { PyValue } from '../../python/value.ts'
import type { DraftInstance } from '../../scenario/instance.ts'

const ANSWERS = ['yes', 'no', 'maybe']

/**
 * PubMedQA's labelled questions in file order: the abstract without its conclusion, each
 * part under its label in title case, then the question.
 *
 * @throws ProblemError `benchmarks/pubmed-qa` naming the PubMed id
 */
export function* instances(data: SourceData): Generator<DraftInstance> {
  const { file, value } = dataFile(data.json, 'questions')
  if (!isDict(value)) throw unexpected(file, 'the file', 'is no object')
  for (const [pubmedId, article] of value) {
    const field = (name: string): PyValue => (isDict(article) ? (article.get(name) ?? null) : null)
    const [labels, contexts] = [field('LABELS'), field('CONTEXTS')]
    const [question, answer] = [field('QUESTION'), field('final_decision')]
    if (!isTexts(labels) || !isTexts(contexts) || labels.length !== contexts.length)
      throw unexpected(file, pubmedId, 'has not one text in CONTEXTS for each in LABELS')
    if (typeof question !== 'string') throw unexpected(file, pubmedId, 'has no QUESTION')
    if (typeof answer !== 'string' || !ANSWERS.includes(answer))
      throw unexpected(file, pubmedId, `has no final_decision out of ${ANSWERS.join(', ')}`)
    const background = labels.map((label, part) => `${title(label)}. ${contexts[part]}`).join('\n')
    yield {
      input: { text: `Context: ${background}\n\nQuestion: ${question}\n` },
      references: ANSWERS.map((text) => ({ text, tags: text === answer ? ['correct'] : [] })),
      split: 'test',
    }
  }
}

const isTexts = (value: PyValue): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const unexpected = (file: string, field: string, what: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/pubmed-qa',
    message: `${field} ${what}`,
    where: { file, field },
    remedy: 'This is not the published file: fetch it again.',
  })
