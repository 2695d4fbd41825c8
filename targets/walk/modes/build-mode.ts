import type { Mode } from '../mode.ts'
import type { OpenRequests } from '../run.ts'
import type { OpenStages } from '../stages.ts'

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
