import { repr } from '../../../benchmarks/python/numbers/number.ts'
import type { ItemGrading, Jury } from '../../../benchmarks/scenario/benchmark.ts'
import { chatMessage, chatText } from '../../../benchmarks/scenario/chat.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import type { RubricItem } from '../../../benchmarks/scenario/rubric.ts'

/** What graders are shown of an answer: the chat as it was sent, and the answer as its last message. */
export const gradedChat = ({ input }: Pick<Instance, 'input'>, answer: string): string =>
  chatText([...(input.messages ?? [chatMessage('user', input.text)]), chatMessage('assistant', answer)])

/**
 * The grader's prompt for one item (HELM.md T27). The conversation is filled in first: one that holds the item's
 * placeholder gets the item there, too, as in the originals.
 */
export const graderPrompt = (
  template: string,
  chat: string,
  item: RubricItem,
  style: ItemGrading['style'],
): string => replaced(replaced(template, '<<conversation>>', chat), '<<rubric_item>>', SHOWN[style](item))

const SHOWN: Readonly<Record<ItemGrading['style'], (item: RubricItem) => string>> = {
  'health-bench': ({ criterion, pointsText }) => `[${pointsText}] ${criterion}`,
  'medhelm-0.8': ({ raw }) => repr(raw),
}

/** The prompt that holds the answer against a physician's; undefined where the jury asks for none, or there is no such answer. */
export const comparisonPrompt = (
  { grading }: Pick<Jury, 'grading'>,
  chat: string,
  answer: string,
  { extraData }: Pick<Instance, 'extraData'>,
): string | undefined => {
  const physician = extraData?.get('physician_response')
  if (grading?.comparison === undefined || typeof physician !== 'string') return undefined
  const asked = replaced(grading.comparison, '<<user_message>>', chat)
  return replaced(replaced(asked, '<<llm_response>>', answer), '<<physician_response>>', physician)
}

/** Python's `str.replace`. */
const replaced = (text: string, placeholder: string, value: string): string =>
  text.split(placeholder).join(value)
