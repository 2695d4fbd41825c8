import type { ModelDeployment } from '../registry/model.ts'

/** Up to which access of a benchmark its text may be sent to a deployment; `private` reaches gated text, too. */
export const DATA_AGREEMENTS = ['none', 'gated', 'private'] as const
export type DataAgreement = (typeof DATA_AGREEMENTS)[number]

/** An agreement as reviewed files declare it. */
export interface DeclaredAgreement {
  readonly level: DataAgreement
  /** Whom it is with: a host name. Undefined where no reviewed file says where the deployment is. */
  readonly host?: string
}

/** Where a request to a deployment goes. */
export type Endpoint =
  | { readonly kind: 'process' }
  /** `host` without port. */
  | { readonly kind: 'server'; readonly host: string }
  /** Nothing says where. */
  | { readonly kind: 'nowhere' }

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * True for a host on this machine. The client goes straight to the host of the URL: it follows no redirect and takes no
 * proxy from the environment, so no variable leads such a request elsewhere.
 */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

/** Host of a URL without port; undefined for what is none. */
export const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).hostname : undefined

/**
 * What an agreement allows at that endpoint. An agreement is with a host: environment and credentials can lead a
 * deployment to another one, where it says nothing. What stays on this machine is private unless declared otherwise.
 */
export const agreementAt = (
  { agreement }: Pick<ModelDeployment, 'agreement'>,
  endpoint: Endpoint,
): DataAgreement => {
  if (endpoint.kind === 'process') return agreement?.level ?? 'private'
  if (endpoint.kind === 'nowhere') return 'none'
  if (isLoopback(endpoint.host)) return agreement?.level ?? 'private'
  return agreement !== undefined && agreement.host === endpoint.host ? agreement.level : 'none'
}
