import { ProblemError } from '../../../cache/problems/problem.ts'
import { dataFile, type SourceData } from '../../declaration/data/scenario-data.ts'
import { pyInt } from '../../python/numbers/number.ts'
import type { DraftInstance } from '../../scenario/instance.ts'
import { elementOf, elementsOf, ownText, type XmlElement } from '../../sources/xml/xml-tree.ts'

/**
 * MEDIQA's questions in document order under their own ids; the reference is the answer that is ranked first, empty
 * where none is.
 *
 * @throws ProblemError `benchmarks/medi-qa` naming the question
 */
export function* instances(data: SourceData): Generator<DraftInstance> {
  const { file, root } = dataFile(data.xml, 'questions')
  const questions = elementsOf(root, 'Question')
  if (questions.length === 0) throw unexpected(file, root.name, 'holds no Question')
  for (const [index, question] of questions.entries()) {
    const id = question.attributes['QID']
    const what = `question ${id ?? index + 1}`
    const text = childText(question, 'QuestionText')
    const answers = elementsOf(elementOf(question, 'AnswerList') ?? question, 'Answer')
    const first = answers.find(({ attributes }) => pyInt(attributes['ReferenceRank'] ?? '') === 1)
    const reference = first === undefined ? '' : childText(first, 'AnswerText')
    if (id === undefined) throw unexpected(file, what, 'has no QID')
    if (text === undefined) throw unexpected(file, what, 'has no QuestionText')
    if (reference === undefined) throw unexpected(file, what, 'has no AnswerText in its first answer')
    yield { id, input: { text }, references: [{ text: reference, tags: ['correct'] }], split: 'test' }
  }
}

const childText = (parent: XmlElement, name: string): string | undefined => {
  const child = elementOf(parent, name)
  return child && ownText(child)
}

const unexpected = (file: string, field: string, what: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/medi-qa',
    message: `${field} ${what}`,
    where: { file, field },
    remedy: 'This is not the published file: fetch it again.',
  })
