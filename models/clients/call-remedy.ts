import { namesProxy } from '../../cache/network/proxy.ts'
import { hostKey } from '../deployment/credentials.ts'
import type { ModelDeployment } from '../deployment/model.ts'
import type { ClientError } from '../calls/client.ts'
import { isOutOfQuota, isUnreached } from '../calls/failure.ts'

/** What to do about a call that failed. */
export const callRemedy = (
  error: Pick<ClientError, 'code' | 'status'> & { readonly cause?: unknown },
  { name, file }: Pick<ModelDeployment, 'name' | 'file'>,
): string => {
  const { code, status } = error
  if (isOutOfQuota(error)) return 'Top up the account of this key, raise its limit, or use another key.'
  if (status === 401 || status === 403)
    return `Check the key in ${hostKey(name).variable} or prod_env/credentials.conf, and what it may ask.`
  if (status === 404) return `Check base_url and model in ${file}: the server knows no such path or model.`
  if (status === 429) return 'Wait, or ask for a higher limit; limits in the deployment keep runs below it.'
  if (status !== undefined && status >= 500) return 'The fault is the server’s: try again, or read its log.'
  if (status !== undefined) return `The server refuses the request: check model and class_name in ${file}.`
  if (isUnreached(error) || code === 'call/connection')
    return `See that the server runs and its certificate is trusted, and check base_url in ${file}.${namesProxy() ? '' : ' Where a proxy alone leads out, set HTTPS_PROXY.'}`
  if (code === 'call/timeout') return 'See that the server answers at all, or raise timeout in medmake.yaml.'
  return `Check the deployment in ${file}.`
}
