import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ProblemError } from '../../cache/problems/problem.ts'
import { errorCode } from '../../cache/problems/system-problem.ts'
import { fullDisk } from '../../cache/store-problems.ts'
import { GIVEN_RATING, RECOGNISED } from '../../targets/ratings/given-rating.ts'
import { createOneTimeToken, type OneTimeToken } from '../site/serve/one-time-token.ts'
import { ALWAYS, isAskedByLoopback, refuse } from '../site/serve/respond.ts'
import { DeskError } from './desk.ts'
import type { DeskPage } from './desk-page.ts'
import type { RaterDesk } from './rater-desk.ts'

/** Desks of several raters behind one port of this machine. */
interface DeskServer {
  readonly server: Server
  /** Path and query of each desk's link, in their order: it opens the desk once. */
  readonly links: readonly string[]
}

interface Seat {
  readonly path: string
  readonly desk: RaterDesk
  readonly token: OneTimeToken
  /**
   * Which opening is the last: earlier ones can save nothing any more, nor those of another server before, which may
   * have been another rater's on the same port.
   */
  opening: string
}

/** Longest body of a request, in bytes. */
const BODY = 64 * 1024

/**
 * @param onFault told of what is nobody's mistake, such as a full disk; without any text of the data
 */
export const createDeskServer = (
  desks: readonly RaterDesk[],
  page: DeskPage,
  onFault: (error: unknown) => void,
): DeskServer => {
  const seats = desks.map((desk, index): Seat => {
    const path = `/${index + 1}/`
    return {
      path,
      desk,
      // A rater's own: beside it another server may serve another rater to the same browser, which knows no ports.
      token: createOneTimeToken({ cookie: `medmake-desk-${desk.id}`, path }),
      opening: '',
    }
  })
  const server = createServer((request, response) => {
    respond(request, response, seats, page).catch((error: unknown) => {
      onFault(error)
      if (!response.headersSent) send(response, 500, { problem: faultText(error) })
      else response.destroy()
    })
  })
  return { server, links: seats.map(({ path, token }) => `${path}${token.query}`) }
}

const respond = async (
  request: IncomingMessage,
  response: ServerResponse,
  seats: readonly Seat[],
  page: DeskPage,
): Promise<void> => {
  if (!isAskedByLoopback(request)) return refuse(response, 403, 'Ask by the name localhost.', HEADERS)
  const [pathname = '/'] = (request.url ?? '/').split('?')
  const seat = seats.find(({ path }) => pathname.startsWith(path))
  if (seat === undefined) return refuse(response, 404, 'Not found.', HEADERS)
  const { origin } = request.headers
  if (origin !== undefined && origin !== `http://${request.headers.host}`)
    return refuse(response, 403, 'Another site may not ask.', HEADERS)
  const admission = seat.token.admit(request)
  if (admission.kind === 'out')
    return refuse(response, 403, 'Open the link that was printed; it opens the desk once.', HEADERS)
  if (admission.kind === 'welcome') {
    response.writeHead(303, { Location: seat.path, 'Set-Cookie': admission.cookie, ...HEADERS })
    response.end()
    return
  }
  if (request.method === 'GET' && pathname === seat.path) {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `${page.policy}; frame-ancestors 'none'`,
      ...HEADERS,
    })
    response.end(page.html)
    return
  }
  // A page of another site cannot send this type without being asked about first.
  if (
    request.method !== 'POST' ||
    origin === undefined ||
    request.headers['content-type'] !== 'application/json'
  )
    return refuse(response, 405, 'The page asks, and nobody else.', HEADERS)
  try {
    send(response, 200, await answer(seat, pathname.slice(`${seat.path}api/`.length), await bodyOf(request)))
  } catch (error) {
    if (!(error instanceof DeskError)) throw error
    send(response, 409, { problem: error.message, fate: error.fate })
  }
}

const answer = async (seat: Seat, name: string, body: Readonly<Record<string, unknown>>): Promise<object> => {
  const { desk } = seat
  if (name === 'open') {
    seat.opening = randomUUID()
    return { opening: seat.opening, state: desk.state() }
  }
  if (body['opening'] !== seat.opening)
    throw new DeskError('This desk was opened in another tab; go on there, or reload this page.', 'over')
  if (name === 'item') return desk.item(Number(body['item']))
  if (name === 'save') {
    const rating = GIVEN_RATING.safeParse(body['rating'])
    if (!rating.success) throw new DeskError('The page sent no rating that can be read.')
    await desk.save(rating.data)
    return { saved: true }
  }
  const recognised = RECOGNISED.find((each) => each === body['recognised'])
  if (name !== 'hand-in' || recognised === undefined)
    throw new DeskError('The page asked for nothing that is known.')
  await desk.handIn(recognised)
  return { saved: true }
}

const bodyOf = async (request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // Read to its end: who is left in the middle gets no answer, nor does what is asked next on the connection.
    if (size <= BODY) chunks.push(chunk)
  }
  if (size > BODY) throw new DeskError('The page sent more than a rating.')
  try {
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
    if (typeof body === 'object' && body !== null) return body as Readonly<Record<string, unknown>>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new DeskError('The page sent no JSON.')
}

const send = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...HEADERS })
  response.end(JSON.stringify(body))
}

const HEADERS = {
  'Cache-Control': 'no-store',
  ...ALWAYS,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
} as const

const faultText = (error: unknown): string => {
  const [problem] = (error instanceof ProblemError ? error : fullDisk(error))?.problems ?? []
  if (problem?.code === 'cache/disk-full') return 'the disk is full'
  return problem?.safe ?? `it could not be written (${problem?.code ?? errorCode(error) ?? 'unknown fault'})`
}
