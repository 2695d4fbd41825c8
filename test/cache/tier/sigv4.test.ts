import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { signatureFault, type SignedRequest } from '../../rig/sigv4.ts'

/** The four requests of AWS's documentation, "Signature Calculations for the Authorization Header", with its keys. */
const KEYS = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const AT = { region: 'us-east-1', now: new Date('2013-05-24T00:00:00Z') }

const request = (
  [method, target, body = '']: readonly [string, string, string?],
  headers: Readonly<Record<string, string>>,
  signature: string,
): SignedRequest => {
  const bodyDigest = createHash('sha256').update(body).digest('hex')
  const all: Record<string, string> = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': bodyDigest,
    'x-amz-date': '20130524T000000Z',
    ...headers,
  }
  const names = Object.keys(all).sort().join(';')
  const authorization = `AWS4-HMAC-SHA256 Credential=${KEYS.id}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`
  return { method, target, bodyDigest, headers: { ...all, authorization } }
}

const EXAMPLES = [
  request(
    ['GET', '/test.txt'],
    { range: 'bytes=0-9' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ),
  request(
    ['PUT', '/test%24file.text', 'Welcome to Amazon S3.'],
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ),
  request(['GET', '/?lifecycle'], {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'),
  request(
    ['GET', '/?max-keys=2&prefix=J'],
    {},
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ),
]

test('the test bucket verifies AWS’s own examples, and nothing that differs from them', () => {
  for (const example of EXAMPLES) {
    expect(signatureFault(example, KEYS, AT)).toBeUndefined()
    expect(signatureFault({ ...example, target: '/other' }, KEYS, AT)).toBe('SignatureDoesNotMatch')
    expect(signatureFault(example, { ...KEYS, secret: 'other' }, AT)).toBe('SignatureDoesNotMatch')
    const late = { ...AT, now: new Date('2013-05-24T00:15:01Z') }
    expect(signatureFault(example, KEYS, late)).toBe('RequestTimeTooSkewed')
    const unsigned = { ...example.headers, 'x-amz-acl': 'public-read' }
    expect(signatureFault({ ...example, headers: unsigned }, KEYS, AT)).toBe('AccessDenied')
  }
})
