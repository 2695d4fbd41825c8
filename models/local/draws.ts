import { createHash } from 'node:crypto'
import { canonicalJson } from '../../cache/values/digest.ts'
import type { CompletionRequest } from '../calls/client.ts'

/**
 * Uniform numbers in [0, 1) for the tokens of one answer, the same for ever: sha256 of messages, seed, repeat, answer
 * and token, its first 53 bits. So no answer hangs on the ones before it or beside it.
 *
 * @param choice - which of a request's answers
 */
export const drawsOf = (
  { messages, seed, sampleIndex }: CompletionRequest,
  choice: number,
): ((token: number) => number) => {
  const key = canonicalJson([
    messages.map(({ role, content }) => [role, content]),
    seed ?? null,
    sampleIndex,
    choice,
  ])
  return (token) => {
    const bytes = createHash('sha256').update(`${key} ${token}`).digest()
    return (bytes.readUInt32BE(0) * 2 ** 21 + (bytes.readUInt32BE(4) >>> 11)) / 2 ** 53
  }
}
