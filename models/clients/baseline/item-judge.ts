import { overlap } from './words.ts'

/** The end of a graded chat, and the item that it is graded by (HealthBench's form). */
const ITEM = /# Conversation\n([^]*?)\n\n# Rubric item\n([^]*?)\n\n# Instructions\n/

/**
 * Answers the prompt for one rubric item: met where half of its content words occur in the last message. The comparison
 * with a physician's answer, which asks for 1 to 10, gets 5. Undefined for any other prompt.
 */
export const itemJudgement = (prompt: string): string | undefined => {
  if (/"criteria_met": <integer from 1 to 10>/.test(prompt)) return reply(5, 'not compared')
  const [, chat, item] = ITEM.exec(prompt) ?? []
  if (chat === undefined || item === undefined) return undefined
  const answer = chat.slice(chat.lastIndexOf('\n\nassistant: ') + 1)
  const { shared, total } = overlap(item, answer)
  return reply(total > 0 && 2 * shared >= total, `${shared} of ${total} content words occur in the answer`)
}

const reply = (met: boolean | number, why: string): string =>
  JSON.stringify({ explanation: `Word-overlap rule, not a clinical judgement: ${why}.`, criteria_met: met })
