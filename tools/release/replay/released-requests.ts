import { join } from 'node:path'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { ReleasedRequest } from '../../../targets/walk/modes/replay.ts'
import { plainInstance } from '../../helm/asked-questions.ts'
import { readRequestStates } from '../../helm/read-run.ts'
import { EXIT } from '../../../cache/problems/problem.ts'
import { badRelease } from '../bad-release.ts'
import { runPath, type RunCard } from '../run-card.ts'

/**
 * The requests of a released run, in its order: as many as its record tells.
 * @param promptTokens tokens of a request's prompt by the target's tokenizer; null where unknown
 * @throws ProblemError `release/bad-record`
 */
export const releasedRequests = async (
  bundle: string,
  { suite, name, record: { rows } }: RunCard,
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
  if (requests.length === rows && rows > 0) return requests
  throw badRelease(
    'release/bad-record',
    `${name} has ${requests.length} requests, its record tells of ${rows}`,
    { file: join(bundle, runPath(suite, name)) },
    { exitCode: EXIT.incomplete },
  )
}
