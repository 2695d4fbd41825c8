import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** What becomes of a request to a server that wants a token. */
type Admission =
  | { readonly kind: 'in' }
  /** The token was right: it is spent, and the cookie takes its place. */
  | { readonly kind: 'welcome'; readonly cookie: string }
  | { readonly kind: 'out' }

export interface OneTimeToken {
  /** To be put behind the server's address, once. */
  readonly query: string
  admit(request: Pick<IncomingMessage, 'url' | 'headers'>): Admission
}

/** The cookie that takes the token's place. Cookies know no ports: several servers of a machine need several names. */
interface TokenCookie {
  readonly cookie: string
  readonly path: string
}

/** Lets in whoever brings the token first, and nobody else: the address of a server is no secret on its machine. */
export const createOneTimeToken = (
  { cookie, path }: TokenCookie = { cookie: 'medmake', path: '/' },
): OneTimeToken => {
  const session = secret()
  let token: string | undefined = secret()
  return {
    query: `?token=${token}`,
    admit: ({ url = '', headers }) => {
      if (cookies(cookie, headers.cookie).some((value) => isSame(value, session))) return { kind: 'in' }
      const brought = new URLSearchParams(url.split('?')[1]).get('token')
      if (token === undefined || brought === null || !isSame(brought, token)) return { kind: 'out' }
      token = undefined
      return { kind: 'welcome', cookie: `${cookie}=${session}; Path=${path}; HttpOnly; SameSite=Strict` }
    },
  }
}

const secret = (): string => randomBytes(32).toString('hex')

/** By bytes: a text of as many letters, which anybody may send, can have more of them. */
const isSame = (...texts: readonly [string, string]): boolean => {
  const [one, other] = [Buffer.from(texts[0]), Buffer.from(texts[1])]
  return one.length === other.length && timingSafeEqual(one, other)
}

const cookies = (cookie: string, header = ''): readonly string[] =>
  header
    .split(';')
    .map((part) => part.trim().split('='))
    .flatMap(([name, value = '']) => (name === cookie ? [value] : []))
