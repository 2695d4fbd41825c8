import { createServer, type Server } from 'node:http'
import { createOneTimeToken } from '../site/serve/one-time-token.ts'
import { isLoopback } from '../site/serve/server.ts'
import { disagreementPage, type ShownDisagreement } from './disagreement-page.tsx'

const COOKIE = { cookie: 'medmake-disagreements', path: '/' }

/** One page with texts, for who has the link. */
export const createDisagreementServer = async (
  shown: readonly ShownDisagreement[],
): Promise<{ readonly server: Server; readonly link: string }> => {
  const { html, policy } = await disagreementPage(shown)
  const token = createOneTimeToken(COOKIE)
  const always = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '').replaceAll(/[[\]]/g, '')
    const admission = isLoopback(host) ? token.admit(request) : ({ kind: 'out' } as const)
    if (admission.kind === 'out') {
      response.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8', ...always })
      response.end('Open the link that was printed; it opens the page once.\n')
    } else if (admission.kind === 'welcome') {
      response.writeHead(303, { Location: '/', 'Set-Cookie': admission.cookie, ...always })
      response.end()
    } else {
      response.writeHead(200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
        ...always,
      })
      response.end(html)
    }
  })
  return { server, link: `/${token.query}` }
}
