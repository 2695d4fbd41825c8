import { ProblemError } from '../../cache/problem.ts'
import type { HelmCompletion, RequestState } from '../record/request-state.ts'

/** The completion that metrics of one answer read. @throws ProblemError `targets/no-completion` */
export const firstCompletion = ({ instance, result }: RequestState): HelmCompletion => {
  const completion = result?.completions[0]
  if (completion !== undefined) return completion
  throw new ProblemError({
    code: 'targets/no-completion',
    message: `the model's reply to instance ${JSON.stringify(instance.id)} holds no completion`,
    remedy: 'Ask the model again for this instance.',
  })
}
