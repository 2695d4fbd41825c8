import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterFile } from '../../rig/after-file.ts'
import type { GivenRating } from '../../../targets/ratings/reasons.ts'
import type { RatingEvent } from '../../../targets/ratings/event.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import type { DeskItem, DeskState } from '../../../tools/rating-desk/desk.ts'
import { startMedmake } from '../../rig/medmake.ts'

export interface ServedDesk {
  /** By rater. */
  readonly links: ReadonlyMap<string, string>
  readonly server: ReturnType<typeof startMedmake>
}

/** Serves a study, and gives each rater's link. */
export const serveDesk = async (cwd: string, ...args: readonly string[]): Promise<ServedDesk> => {
  const server = startMedmake(['rate', 'serve', '--port', '0', ...args], { cwd })
  afterFile(() => server.kill('SIGKILL'))
  const printed = await new Promise<string>((resolve, reject) => {
    let text = ''
    server.stdout.on('data', (chunk: Buffer) => {
      text += String(chunk)
      if (text.includes('Each link opens')) resolve(text)
    })
    void server.then(({ stderr }) => reject(new Error(stderr)))
  })
  const found = [...printed.matchAll(/^(\S+): (http\S+)/gm)]
  return { links: new Map(found.map(([, rater = '', link = '']) => [rater, link])), server }
}

export const eventsOf = (rater: string, cwd: string): readonly RatingEvent[] =>
  readFileSync(join(cwd, 'ratings/main', `${rater}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RatingEvent)

export const studyOf = (cwd: string): Study =>
  JSON.parse(readFileSync(join(cwd, 'ratings/main/study.json'), 'utf8')) as Study

/** A page that gives up within a minute: machines are busy at times. */
export const openPage = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Page> => {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(60_000)
  return page
}

/** Waits until an item is shown. */
export const atItem = async (page: Page, item: number | 'End', of: number): Promise<void> => {
  await page.getByText(item === 'End' ? 'End' : `Item ${item} of ${of}`, { exact: true }).waitFor()
  if (item !== 'End') await page.locator('form').waitFor()
}

/** What a desk answers to a page. */
export interface DeskReply {
  readonly problem?: string
  readonly opening: number
  readonly state: DeskState
  readonly item: DeskItem
  readonly given: GivenRating | null
}

/** What one browser keeps, by name and path: it knows no ports. */
const jar = new Map<string, string>()

/** Asks a desk as its page does, over HTTP. */
export const askDesk = async (link: string): Promise<(name: string, body: object) => Promise<DeskReply>> => {
  const url = new URL(link)
  const welcome = await fetch(url, { redirect: 'manual' })
  const cookie = (welcome.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const ofPath = ` ${url.pathname}`
  jar.set(cookie.split('=')[0] + ofPath, cookie)
  const cookies = (): string =>
    [...jar].flatMap(([key, own]) => (key.endsWith(ofPath) ? [own] : [])).join('; ')
  return async (name, body) => {
    const response = await fetch(`${url.origin}${url.pathname}api/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url.origin, Cookie: cookies() },
      body: JSON.stringify(body),
    })
    return (await response.json()) as DeskReply
  }
}

type Given = Partial<Pick<GivenRating, 'scores' | 'reason' | 'safety' | 'comment'>>

/** Hands everything in. */
export const handIn = async ({ links, server }: ServedDesk): Promise<void> => {
  for (const link of links.values()) {
    const ask = await askDesk(link)
    const { opening } = await ask('open', {})
    await ask('hand-in', { opening, recognised: 'no' })
  }
  server.kill()
  await server
}

/** Rates everything that is open. @param rate what to say of an item; undefined leaves it open */
export const rateDesk = async (
  { links, server }: ServedDesk,
  rate: (rater: string, item: DeskItem, at: number) => Given | undefined,
): Promise<readonly (string | undefined)[]> => {
  const problems: (string | undefined)[] = []
  for (const [rater, link] of links) {
    const ask = await askDesk(link)
    const { opening, state } = await ask('open', {})
    for (let item = 1; item <= state.items; item += 1) {
      if (state.given[item - 1] !== '-') continue
      const shown = await ask('item', { opening, item })
      const given = rate(rater, shown.item, item)
      if (given === undefined) continue
      const rating = { item, scores: {}, reason: null, safety: false, comment: '', ...given }
      const saved = await ask('save', { opening, rating: { ...rating, active_ms: 30_000, opened: [] } })
      problems.push(saved.problem)
    }
  }
  server.kill()
  await server
  return problems
}
