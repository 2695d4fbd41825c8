import { ProblemError } from '../../../cache/problems/problem.ts'
import { beforeStop } from '../../local/stop-scan.ts'
import { aborted, textOf, type Choice, type Client, type CompletionRequest } from '../../calls/client.ts'
import { overlapJudge } from './overlap-judge.ts'
import { firstChoice, lead, lexicalOverlap, randomChoice } from './question-models.ts'
import { countTokens, firstTokens } from './words.ts'

/** An embedded model: prompt and token limit in, answer out. Same input, same answer. */
type Baseline = (prompt: string, maxTokens: number) => string

export const BASELINES: ReadonlyMap<string, Baseline> = new Map<string, Baseline>([
  ['random-choice', randomChoice],
  ['first-choice', firstChoice],
  ['lexical-overlap', lexicalOverlap],
  ['lead', lead],
  ['overlap-judge', overlapJudge],
])

/**
 * A client for one of BASELINES. Needs no network and ignores temperature, top-p, seed and sample index.
 * A token is a word between white space. Like a server, it stops before the first stop sequence.
 *
 * @throws ProblemError `models/unknown-baseline`
 */
export const createBaselineClient = (name: string): Client => {
  const answer = BASELINES.get(name)
  if (!answer)
    throw new ProblemError({
      code: 'models/unknown-baseline',
      message: `there is no embedded model ${name}`,
      where: { field: 'client_spec.args.name' },
      remedy: `Use one of: ${[...BASELINES.keys()].join(', ')}.`,
    })
  return {
    local: true,
    complete: async (request, signal) => {
      if (signal.aborted) throw aborted()
      const prompt = textOf(request.messages)
      const choice = finish(answer(prompt, request.maxTokens), request)
      return {
        choices: Array.from({ length: request.n }, () => choice),
        usage: { inputTokens: countTokens(prompt), outputTokens: countTokens(choice.text) * request.n },
        model: `baseline/${name}`,
      }
    },
  }
}

const finish = (text: string, { stop, maxTokens }: CompletionRequest): Choice => {
  const stopped = beforeStop(text, stop)
  const cut = firstTokens(stopped, maxTokens)
  return countTokens(stopped) > maxTokens
    ? { text: cut, finishReason: 'length' }
    : { text: stopped, finishReason: 'stop' }
}
