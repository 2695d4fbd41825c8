import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isIP } from 'node:net'

/** Sent with every answer of a server on this machine. */
export const ALWAYS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const

export const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'))

/** Whether this machine is asked by its own name: a page of another site can come by a name that points here. */
export const isAskedByLoopback = ({ headers: { host = '' } }: IncomingMessage): boolean =>
  isLoopback(host.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '').toLowerCase())

/** @param headers of every answer of the server */
export const refuse = (
  response: ServerResponse,
  status: number,
  text: string,
  headers: OutgoingHttpHeaders,
): void => {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers })
  response.end(`${text}\n`)
}
