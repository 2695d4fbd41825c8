import { z } from 'zod'
import { faultsOf } from '../../../cache/problems/zod-problems.ts'
import { parsedJson } from '../../../cache/values/json.ts'

const Count = z.number().nonnegative()
const Flag = z.literal(true).optional()
const Text = z.string().optional()

const Choice = z.object({
  text: z.string(),
  finishReason: z.string().nullable(),
  tokens: z.array(z.object({ text: z.string(), logprob: z.number() })).optional(),
  thinking: Text,
  refusal: Text,
})

/** What a client gives and a stage keeps; further fields are left to later versions. */
const Stored = z
  .object({
    key: z.object({ sampling: Text }),
    reply: z.object({
      choices: z.array(Choice).min(1, 'it must hold an answer'),
      usage: z
        .object({
          inputTokens: Count,
          outputTokens: Count,
          cachedInputTokens: Count.optional(),
          reasoningTokens: Count.optional(),
        })
        .optional(),
      impossibleUsage: Flag,
      model: Text,
      systemFingerprint: Text,
    }),
    requestTime: Count,
    requestDatetime: Count.optional(),
    attempts: Count.optional(),
    imported: Flag,
    batch: Flag,
  })
  .refine(({ key, reply }) => {
    const { n = reply.choices.length } = Object(parsedJson(key.sampling ?? '')) as { readonly n?: unknown }
    return n === reply.choices.length
  }, 'it holds another number of answers than were asked for')

/**
 * What is wrong with a reply that another workspace kept, without its words; undefined where nothing is. A server's own is
 * looked at where it arrives: what has other types would be scored, or end each run that reads it.
 */
export const replyFault = (stored: unknown): string | undefined => {
  const { error } = Stored.safeParse(stored)
  return error && faultsOf(error)
}
