import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { endByHangup } from '../../session/hangup.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'

/** Ports that are tried after the first. */
const FURTHER = 50

/**
 * Binds a server. A port that the user did not name may give way to the next free one.
 * @returns the port
 * @throws ProblemError `cli/port-taken`, `cli/bad-host`
 */
export const listen = async (
  server: Server,
  { host, port, exact }: { readonly host: string; readonly port: number; readonly exact: boolean },
): Promise<number> => {
  const last = exact ? port : port + FURTHER
  for (let candidate = port; candidate <= last; candidate += 1) {
    const code = await tryPort(server, host, candidate)
    if (code === undefined) return (server.address() as AddressInfo).port
    if (code !== 'EADDRINUSE')
      throw new ProblemError({
        code: 'cli/bad-host',
        message: `nothing can be served on ${host}:${candidate} (${code})`,
        where: { field: '--host' },
        remedy: 'Leave --host out for this machine only, or use 0.0.0.0 for all its addresses.',
      })
  }
  throw new ProblemError({
    code: 'cli/port-taken',
    message: exact ? `port ${port} is taken` : `the ports ${port} to ${last} are taken`,
    where: { field: '--port' },
    remedy: 'Name a free one with --port.',
  })
}

/** @returns the error's code, undefined when the server listens */
const tryPort = (server: Server, host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const onError = (error: NodeJS.ErrnoException): void => resolve(error.code ?? String(error))
    server.once('error', onError)
    server.listen(port, host, () => {
      server.off('error', onError)
      resolve(undefined)
    })
  })

/** Settles once somebody ends the server. */
export const untilStopped = (server: Server): Promise<void> =>
  new Promise((done) => {
    const stop = (signal: NodeJS.Signals): void => {
      if (signal === 'SIGHUP') endByHangup()
      server.close(() => done())
      server.closeAllConnections()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop)
  })
