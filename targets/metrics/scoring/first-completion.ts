import type { HelmCompletion, RequestState } from '../../record/request-state.ts'
import { InstanceProblem } from '../instance-problem.ts'

/** The completion that metrics of one answer read. @throws InstanceProblem `targets/no-completion` */
export const firstCompletion = ({ instance, result }: RequestState): HelmCompletion => {
  const completion = result?.completions[0]
  if (completion !== undefined) return completion
  throw new InstanceProblem({
    code: 'targets/no-completion',
    message: `the model's reply to instance ${JSON.stringify(instance.id)} holds no completion`,
    remedy: 'Ask the model again for this instance.',
  })
}
