import type { ModelDeployment } from '../deployment/model.ts'
import { identityOf } from './create-client.ts'

/** Whether a deployment's answers come from a server, and so may cost money; embedded models answer in this process. */
export const isRemote = (deployment: ModelDeployment): boolean => {
  const { protocol } = identityOf(deployment)
  return protocol === 'chat' || protocol === 'code'
}
