import type { Listener, StageName } from '../../event.ts'
import type { Mode } from '../request.ts'
import type { OpenRequests, OpenStages } from '../run.ts'

/** Runs what the store lacks. */
export const buildMode = (
  { asker, annotator, metrics, request }: OpenStages,
  run: Pick<OpenRequests, 'prompts'>,
): Required<Mode> => ({
  prompt: ({ trial, ref, instance }) => run.prompts(trial).run({ digest: ref.digest, load: instance }),
  completion: (_, { prompt }) => asker.ask(request(prompt)),
  judgements: async ({ instance }, answer) => (await annotator?.run(instance(), answer)) ?? [],
  metrics: (_, digests, state) => Promise.all(metrics.map((metric) => metric.run(digests, state))),
})

/** The same mode, which says of every stage's result whether the store had it. */
export const countingMode = (mode: Required<Mode>, target: string, listener: Listener): Required<Mode> => {
  const count = (stage: StageName, cached: boolean): void =>
    listener({
      type: 'stage-results',
      target,
      stage,
      executed: cached ? 0 : 1,
      cached: cached ? 1 : 0,
    })
  return {
    prompt: async (at) => {
      const prompt = await mode.prompt(at)
      count('prompts', prompt.cached)
      return prompt
    },
    completion: async (at, prompt) => {
      const answered = await mode.completion(at, prompt)
      if (answered.outcome.kind === 'done') count('completions', answered.cached)
      return answered
    },
    judgements: async (at, answer) => {
      const judgements = await mode.judgements(at, answer)
      for (const { digest, cached } of judgements) if (digest !== undefined) count('annotations', cached)
      return judgements
    },
    metrics: async (at, digests, state) => {
      const measured = await mode.metrics(at, digests, state)
      for (const { cached } of measured) count('metrics', cached)
      return measured
    },
  }
}
