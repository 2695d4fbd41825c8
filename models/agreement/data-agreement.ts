import { isLoopback } from '../../cache/network/proxy.ts'

/** Up to which access of a benchmark its text may be sent to a deployment; `private` reaches gated text, too. */
export const DATA_AGREEMENTS = ['none', 'gated', 'private'] as const
export type DataAgreement = (typeof DATA_AGREEMENTS)[number]

/** An agreement as reviewed files declare it. */
export interface DeclaredAgreement {
  readonly level: DataAgreement
  /** Whom it is with: a host name. Undefined where no reviewed file says where the deployment is. */
  readonly host?: string
}

/** A server as a URL names it. */
export interface ServerPlace {
  /** Without port. */
  readonly host: string
  /** With port. */
  readonly address: string
  readonly isEncrypted: boolean
}

/** Where a request to a deployment goes. */
export type Endpoint =
  | { readonly kind: 'process' }
  | ({ readonly kind: 'server' } & ServerPlace)
  /** Nothing says where. */
  | { readonly kind: 'nowhere' }

/** Undefined for what is no URL. */
export const serverPlace = (url: string): ServerPlace | undefined => {
  if (!URL.canParse(url)) return undefined
  const { hostname: host, port, protocol } = new URL(url)
  const isEncrypted = protocol === 'https:'
  return { host, address: `${host}:${port || (isEncrypted ? 443 : 80)}`, isEncrypted }
}

/** Whether nobody between here and there can read what is sent. */
export const isConfidential = ({ host, isEncrypted }: ServerPlace): boolean => isEncrypted || isLoopback(host)

/**
 * What an agreement allows at that endpoint. An agreement is with a host: environment and credentials can lead a
 * deployment to another one, where it says nothing, and it covers no line that others can read. What stays on this machine is private unless declared otherwise.
 */
export const agreementAt = (
  { agreement }: { readonly agreement?: DeclaredAgreement },
  endpoint: Endpoint,
): DataAgreement => {
  if (endpoint.kind === 'process') return agreement?.level ?? 'private'
  if (endpoint.kind === 'nowhere') return 'none'
  if (isLoopback(endpoint.host)) return agreement?.level ?? 'private'
  const isCovered = agreement?.host === endpoint.host && isConfidential(endpoint)
  return agreement !== undefined && isCovered ? agreement.level : 'none'
}
