import type { Server } from 'node:http'
import { listen } from '../../site/serve/listen.ts'
import { portFlag } from '../flags.ts'
import type { FlagValues } from '../verb.ts'

export const LOOPBACK = '127.0.0.1'

/**
 * Binds a server to `--port`, or to the first free port from a verb's own.
 * @returns where it is, e.g. `http://127.0.0.1:8000`
 * @throws ProblemError `cli/bad-flag`, `cli/port-taken`, `cli/bad-host`
 */
export const listenOn = async (
  server: Server,
  flags: FlagValues,
  { host = LOOPBACK, port }: { readonly host?: string | undefined; readonly port: number },
): Promise<string> => {
  const given = portFlag(flags)
  const bound = await listen(server, { host, port: given ?? port, exact: given !== undefined })
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`
}
