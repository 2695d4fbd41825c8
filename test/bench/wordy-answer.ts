import { createHash } from 'node:crypto'
import type { FakeCall } from './fake-answer.ts'

/** Words of a made-up answer, 1 to as many as the request allows: long ones are rarer. A function of model and prompt. */
export const wordyAnswer = ({ model, prompt, body }: FakeCall): string => {
  const limit = typeof body['max_tokens'] === 'number' ? body['max_tokens'] : 16
  const share = createHash('sha256').update(`${model}\n${prompt}`).digest().readUInt32LE(0) / 2 ** 32
  const count = Math.min(limit, 1 + Math.floor(-0.3 * limit * Math.log(1 - share)))
  return Array.from({ length: count }, () => 'word').join(' ')
}
