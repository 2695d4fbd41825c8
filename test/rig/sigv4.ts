import { createHash, createHmac } from 'node:crypto'

/** A request as it came, with the headers that its signature names. */
export interface SignedRequest {
  readonly method: string
  /** Path and query as they stand in the request's first line. */
  readonly target: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** sha256 of the body, hex. */
  readonly bodyDigest: string
}

export interface SigningKeys {
  readonly id: string
  readonly secret: string
  readonly session?: string
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** RFC 3986: what is not unreserved is escaped. */
const escape = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', value = ''] = part.split('=')
      return [escape(decodeURIComponent(name)), escape(decodeURIComponent(value))] as const
    })
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

/** S3 escapes each part of a path once. */
const canonicalPath = (path: string): string =>
  path
    .split('/')
    .map((part) => escape(decodeURIComponent(part)))
    .join('/')

interface Scope {
  readonly day: string
  readonly region: string
  readonly signed: readonly string[]
}

/** The signature that a request must have, after AWS's "Signature Calculations for the Authorization Header". */
const signatureOf = (request: SignedRequest, { day, region, signed }: Scope, secret: string): string => {
  const [path = '', query = ''] = request.target.split('?')
  const valueOf = (name: string): string => {
    const value = request.headers[name]
    return (typeof value === 'string' ? value : (value ?? []).join(',')).trim().replaceAll(/ +/g, ' ')
  }
  const canonical = [
    request.method,
    canonicalPath(path),
    canonicalQuery(query),
    ...signed.map((name) => `${name}:${valueOf(name)}`),
    '',
    signed.join(';'),
    request.bodyDigest,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', valueOf('x-amz-date'), scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
  return hmac(key, text).toString('hex')
}

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** S3's word for what is wrong with a request's signature; undefined where it is right. */
export const signatureFault = (
  request: SignedRequest,
  keys: SigningKeys,
  { region, now }: { readonly region: string; readonly now: Date },
): string | undefined => {
  const { headers, bodyDigest } = request
  const [, id, day = '', scopeRegion = '', names = '', signature] =
    FORM.exec(String(headers['authorization'])) ?? []
  if (signature === undefined) return 'AccessDenied'
  if (id !== keys.id) return 'InvalidAccessKeyId'
  if (keys.session !== undefined && headers['x-amz-security-token'] !== keys.session) return 'InvalidToken'
  const date = String(headers['x-amz-date'])
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (!(Math.abs(now.getTime() - at) <= 15 * 60_000)) return 'RequestTimeTooSkewed'
  if (headers['x-amz-content-sha256'] !== bodyDigest) return 'XAmzContentSHA256Mismatch'
  const signed = names.split(';')
  const required = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))]
  if (scopeRegion !== region || !date.startsWith(day)) return 'AuthorizationHeaderMalformed'
  if (signed.join() !== [...signed].sort().join() || required.some((name) => !signed.includes(name)))
    return 'AccessDenied'
  return signature === signatureOf(request, { day, region, signed }, keys.secret)
    ? undefined
    : 'SignatureDoesNotMatch'
}
