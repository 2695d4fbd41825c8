import { createHash } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** The address of a file as `listener` answers for it, until the test's end. */
export const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/data/file.csv`
}

/** Of a download that does not wait between its attempts. */
export const options = { signal: new AbortController().signal, onEvent: () => undefined, waits: [0, 0, 0] }

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
