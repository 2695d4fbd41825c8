import { ProblemError } from '../../cache/problems/problem.ts'
import { baseUrlOf } from './chat/base-url.ts'
import { clientName, codeUrl } from './code/client-file.ts'
import { isRemote } from './is-remote.ts'
import type { Credentials } from '../deployment/credentials.ts'
import type { ModelDeployment } from '../deployment/model.ts'
import { serverPlace, type Endpoint } from '../agreement/data-agreement.ts'

/**
 * Where the client of a deployment would send a request, by the rule by which it is opened.
 * @throws ProblemError `models/unknown-client`
 */
export const endpointOf = (deployment: ModelDeployment, credentials: Credentials): Endpoint => {
  if (!isRemote(deployment)) return { kind: 'process' }
  try {
    const place = serverPlace(urlOf(deployment, credentials))
    return place === undefined ? { kind: 'nowhere' } : { kind: 'server', ...place }
  } catch (error) {
    if (error instanceof ProblemError && error.problems[0]?.code === 'models/no-url')
      return { kind: 'nowhere' }
    throw error
  }
}

/** Base URL of a deployment that is asked over a network. @throws ProblemError `models/no-url` */
export const urlOf = (deployment: ModelDeployment, credentials: Credentials): string =>
  clientName(deployment.client.className) === undefined
    ? baseUrlOf(deployment, credentials)
    : codeUrl(deployment)
