import OpenAI from 'openai'

type Made = Awaited<ReturnType<OpenAI['buildRequest']>>
type Options = Parameters<OpenAI['buildRequest']>

/** What our calls are made of; anything else may alter URL or headers. */
const OURS: ReadonlySet<string> = new Set(['method', 'path', 'body', 'signal'])

const isOurs = ([options]: Options): boolean =>
  Object.keys(options).every((key) => OURS.has(key)) &&
  options.method === 'post' &&
  typeof options.body === 'object' &&
  options.body !== null &&
  Object.getPrototypeOf(options.body) === Object.prototype

/** The package, but URL and headers of a path are made once: calls differ in nothing but their body. */
export class SameHeadersOpenAI extends OpenAI {
  readonly #same = new Map<string, Made>()

  override async buildRequest(...given: Options): Promise<Made> {
    if (!isOurs(given)) return super.buildRequest(...given)
    const [{ path, body, signal }] = given
    const same = this.#same.get(path)
    if (same === undefined) {
      const made = await super.buildRequest(...given)
      const { body: _, signal: __, ...req } = made.req
      this.#same.set(path, { ...made, req })
      return made
    }
    const { req, url, timeout } = same
    return { req: { ...req, body: JSON.stringify(body), ...(signal ? { signal } : {}) }, url, timeout }
  }
}
