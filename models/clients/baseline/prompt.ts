import { numbers } from './words.ts'

export interface Option {
  /** `A`, `B`, … as the prompt shows it. */
  readonly letter: string
  readonly text: string
}

/** What a prompt asks for, as far as its layout tells. */
interface QuestionParts {
  readonly kind: 'choice' | 'calculation' | 'text'
  /** Options of the last question; empty unless `kind` is `choice`. */
  readonly options: readonly Option[]
  /** The last question, its label left out. */
  readonly question: string
  /** The text that the question is about: instructions, question and answer cue left out. */
  readonly source: string
  /** Numbers of the source and of the question, as written, in order. */
  readonly numbers: readonly string[]
  /** Whole numbers that the question allows, lowest first, where it names their range (`from 0 to 9`). */
  readonly range: readonly string[]
}

/** Finds question, options and source text by layout alone: paragraphs, labels and `A. ` lines. */
export const readPrompt = (prompt: string): QuestionParts => {
  const lines = withoutCue(prompt.trimEnd().split('\n'))
  const found = lastOptions(lines)
  if (found) {
    const question = questionBefore(lines.slice(0, found.start))
    return { kind: 'choice', options: found.options, question, source: question, numbers: [], range: [] }
  }
  const paragraphs = lines
    .join('\n')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
  return readParagraphs(paragraphs)
}

const LABEL = /^[A-Z][\w' ()-]{0,60}:\s*/
const QUESTION_LABEL = /^Question:\s*/
const OPTION = /^\s*([A-Z])[.)]\s+(\S.*)$/
const ASKS_FOR_NUMBER = /\b(?:calculate|compute|work out|decimal|whole number)\b/i

/** Drops a last line such as `Answer:`, which only says where to write. */
const withoutCue = (lines: readonly string[]): readonly string[] => {
  const last = lines.at(-1) ?? ''
  return lines.length > 1 && /^\s*[A-Z][^.?!]{0,60}:$/.test(last) ? lines.slice(0, -1) : lines
}

const lastOptions = (
  lines: readonly string[],
): { readonly options: readonly Option[]; readonly start: number } | undefined => {
  const start = lines.findLastIndex((line) => OPTION.exec(line)?.[1] === 'A')
  if (start === -1) return undefined
  const options: Option[] = []
  for (const line of lines.slice(start)) {
    const match = OPTION.exec(line)
    if (match?.[1] !== String.fromCharCode(65 + options.length)) break
    options.push({ letter: match[1], text: (match[2] ?? '').trim() })
  }
  // A list early in a note is no choice: options stand at the end, with a line of instructions after them at most.
  const rest = lines.slice(start + options.length).filter((line) => line.trim() !== '')
  return options.length < 2 || rest.length > 1 ? undefined : { options, start }
}

const questionBefore = (lines: readonly string[]): string => {
  const labelled = lines.findLastIndex((line) => QUESTION_LABEL.test(line))
  const blank = lines.findLastIndex((line, index) => line.trim() === '' && index < lines.length - 1)
  const start = labelled === -1 ? blank + 1 : labelled
  return withoutLabel(lines.slice(start).join('\n').trim())
}

const withoutLabel = (text: string): string => text.replace(LABEL, '')

const readParagraphs = (paragraphs: readonly string[]): QuestionParts => {
  const text = paragraphs.join('\n\n')
  const { before, question } = splitQuestion(text)
  const blocks = before.split('\n\n').filter((block) => block.trim() !== '')
  const instructions = blocks.length > 1 ? (blocks[0] ?? '') : ''
  const source = withoutLabel((blocks.length > 1 ? blocks.slice(1) : blocks).join('\n\n').trim()) || question
  const all = source === question ? numbers(question) : [...numbers(source), ...numbers(question)]
  const asked = ASKS_FOR_NUMBER.test(`${instructions}\n${question}`)
  return {
    kind: asked && all.length > 0 ? 'calculation' : 'text',
    options: [],
    question,
    source,
    numbers: all,
    range: rangeOf(question),
  }
}

/** At most 101 numbers: a longer range is no list of answers to choose from. */
const rangeOf = (question: string): readonly string[] => {
  const match = /\bwhole number from (\d{1,4}) to (\d{1,4})\b/i.exec(question)
  const low = Number(match?.[1])
  const count = Number(match?.[2]) - low + 1
  return count >= 1 && count <= 101 ? Array.from({ length: count }, (_, index) => String(low + index)) : []
}

/** The question is what follows the last label `Question:`; without one, the instructions in the first paragraph. */
const splitQuestion = (text: string): { readonly before: string; readonly question: string } => {
  const labelled = [...text.matchAll(/^Question:\s*/gm)].at(-1)
  if (labelled)
    return {
      before: text.slice(0, labelled.index).trim(),
      question: text.slice(labelled.index + labelled[0].length),
    }
  return { before: text, question: withoutLabel(text.split('\n\n')[0] ?? '') }
}
