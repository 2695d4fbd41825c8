import { lower } from '../python/text.ts'
import type { Tiktoken } from '../../cache/tokens/tiktoken.ts'
import type { Codes, Timeline } from './timelines.ts'

/** What HELM says of a task. */
export interface Task {
  readonly fullName: string
  readonly persona: string
  readonly question: string
  /** Only tasks that predict a first diagnosis have a definition and the codes that count as it. */
  readonly definition?: string
  readonly codes: readonly string[]
}

/** The prompt's part before the events, up to the line end. */
const promptHead = ({ fullName, persona, question, definition, codes }: Task): string => {
  const name = lower(fullName)
  const parts = [
    `You are an expert ${lower(persona)} at Stanford Healthcare, an academic medical center affiliated with Stanford University. You specialize in predicting ${name}.`,
    ...(definition === undefined
      ? []
      : [
          `Clinical Definition: ${definition}`,
          `Medical Code Definition: In an electronic health record (EHR), ${name} is denoted by the occurrence of any of the following medical codes: ${codes.join(', ')}`,
        ]),
    `Instruction: Review the patient's EHR history. Based on all available medical evidence in the provided EHR, please answer the question: ${question}`,
  ]
  const instructions = parts.map((part) => `${part}\n`).join('\n')
  return `\n# Instructions\n${instructions}\n\n# Your Task\nPatient EHR:\n`
}

/** Prompts of one task: their text, and their length in tokens without forming it. */
export class Prompts {
  private readonly head: string
  private readonly tokens: Tiktoken
  private readonly headTokens: number
  private readonly emptyTokens: number
  /** Tokens of a code's line, by the code's number; -1 where not counted yet. */
  private readonly lines: number[] = []

  constructor(task: Task, tokens: Tiktoken) {
    this.head = promptHead(task)
    this.tokens = tokens
    this.headTokens = tokens.count(this.head)
    this.emptyTokens = tokens.count(`${this.head}\n\n`)
  }

  text(events: Timeline, { texts }: Codes): string {
    const lines: string[] = []
    for (const code of events) lines.push(`- ${texts[code] ?? ''}`)
    return `${this.head}${lines.join('\n')}\n\n`
  }

  /** Lines can be counted one by one: no token of cl100k reaches over a newline to a hyphen. */
  count(events: Timeline, { texts }: Codes): number {
    const last = events.at(-1)
    if (last === undefined) return this.emptyTokens
    let count = this.headTokens + this.tokens.count(`- ${texts[last] ?? ''}\n\n`)
    for (const code of events.subarray(0, -1)) {
      const known = this.lines[code] ?? this.tokens.count(`- ${texts[code] ?? ''}\n`)
      this.lines[code] = known
      count += known
    }
    return count
  }
}
