import { join } from 'node:path'
import { dumps } from '../../../benchmarks/python/json.ts'
import type { ReleasedRequest } from '../../../targets/walk/modes/replay.ts'
import { plainInstance } from '../../helm/asked-questions.ts'
import { readRequestStates } from '../../helm/read-run.ts'
import { runPath, type RunCard } from '../run-card.ts'

/**
 * The requests of a released run, in its order.
 * @param promptTokens tokens of a request's prompt by the target's tokenizer; null where unknown
 */
export const releasedRequests = async (
  bundle: string,
  { suite, name }: RunCard,
  promptTokens: (prompt: string, index: number) => number | null,
): Promise<readonly ReleasedRequest[]> => {
  const requests: ReleasedRequest[] = []
  for await (const state of readRequestStates(join(bundle, runPath(suite, name)))) {
    const { request, promptTruncated: truncated, numTrainInstances } = state
    const tokens = promptTokens(request.prompt, requests.length)
    requests.push({
      instance: plainInstance(state.instance),
      prompt: {
        text: request.prompt,
        ...(request.messages === undefined ? {} : { messages: dumps(request.messages) }),
        truncated,
        numTrainInstances,
        tokens,
      },
    })
  }
  return requests
}
