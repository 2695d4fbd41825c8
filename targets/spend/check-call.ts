import { digestJson } from '../../cache/values/digest.ts'
import type { Client, CompletionRequest, Reply } from '../../models/calls/client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { SpendEnv } from './spending.ts'
import { beginAttempt, type AskedFor } from './paid-attempt.ts'

/** Short, and none of anybody's data. */
const REQUEST: CompletionRequest = {
  messages: [{ role: 'user', content: 'Answer with the word "ready" and nothing else.' }],
  temperature: 0,
  topP: 1,
  maxTokens: 16,
  stop: [],
  n: 1,
  sampleIndex: 0,
}

/**
 * One small call, to see whether a deployment answers. Its reply is not kept; what it costs is under the caps and in the
 * ledger as any other call's.
 *
 * @throws ClientError, ProblemError `spend/no-price`
 */
export const checkCall = async (
  deployment: ModelDeployment,
  client: Client,
  env: SpendEnv,
): Promise<Reply> => {
  if (client.local) return client.complete(REQUEST, env.abort)
  const run: AskedFor = {
    name: 'models check',
    benchmark: { name: 'models check', access: 'public' },
    adapter: { modelDeployment: deployment.name },
    isCheck: true,
  }
  const digest = digestJson<'completion'>(['models check', deployment.name])
  const attempt = await beginAttempt({ deployment, run, digest, request: REQUEST }, env)
  let reply: Reply
  try {
    reply = await client.complete(REQUEST, env.abort)
  } catch (error) {
    await attempt.failed(error)
    throw error
  }
  await attempt.replied(reply)
  return reply
}
