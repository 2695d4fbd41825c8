import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { afterFile } from './after-file.ts'

const pem = (name: string): string => join(import.meta.dirname, 'tls', name)

/** Makes a program of the tests trust the certificate, which is for the host 0.0.0.0 and keeps no secret. */
export const TRUSTED = { NODE_EXTRA_CA_CERTS: pem('cert.pem') }

/**
 * The same server by https, and by a name that is no loopback's though it leads here: another machine's, as far as the
 * program can tell.
 */
export const tlsFront = async ({ url }: { readonly url: string }): Promise<string> => {
  const { port, pathname } = new URL(url)
  const front = createServer(
    { key: readFileSync(pem('key.pem')), cert: readFileSync(pem('cert.pem')) },
    (socket) => {
      const behind = connect(Number(port), '127.0.0.1')
      for (const [from, to] of [
        [socket, behind],
        [behind, socket],
      ] as const) {
        from.pipe(to)
        from.on('error', () => to.destroy())
        from.on('close', () => to.destroy())
      }
    },
  )
  front.listen(0, '0.0.0.0')
  await once(front, 'listening')
  afterFile(() => front.close())
  return `https://0.0.0.0:${(front.address() as AddressInfo).port}${pathname}`
}
