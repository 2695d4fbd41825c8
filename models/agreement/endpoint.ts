import { ProblemError } from '../../cache/problem.ts'
import { baseUrlOf, chatClass } from '../clients/base-url.ts'
import { identityOf } from '../clients/create-client.ts'
import type { Credentials } from '../registry/credentials.ts'
import type { ModelDeployment } from '../registry/model.ts'
import { serverPlace, type Endpoint } from './data-agreement.ts'

/**
 * Where the client of a deployment would send a request, by the rule by which it is opened.
 * @throws ProblemError `models/unknown-client`
 */
export const endpointOf = (deployment: ModelDeployment, credentials: Credentials): Endpoint => {
  if (identityOf(deployment).protocol !== 'chat') return { kind: 'process' }
  try {
    const place = serverPlace(baseUrlOf(deployment, chatClass(deployment), credentials))
    return place === undefined ? { kind: 'nowhere' } : { kind: 'server', ...place }
  } catch (error) {
    if (error instanceof ProblemError && error.problems[0]?.code === 'models/no-url')
      return { kind: 'nowhere' }
    throw error
  }
}
