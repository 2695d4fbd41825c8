import { DeskError, type Desk, type DeskFate } from '../desk.ts'

const UNANSWERED =
  'medmake does not answer. Try again; if it is not running any more, start it again, then open the new link.'
const STARTED_ANEW = 'medmake was started anew. Open the link that it printed.'

/** A desk that the medmake of this machine serves. */
export const remoteDesk = (): Desk => {
  /** Which opening of the desk this is: a later one, in another tab, takes over. */
  let opening = ''
  const ask = async <T>(name: string, body: object): Promise<T> => {
    let response: Response
    try {
      response = await fetch(`api/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ opening, ...body }),
      })
    } catch {
      throw new DeskError(UNANSWERED, 'unanswered')
    }
    // Whoever is not let in is told so in no such form.
    const reply = (await response.json().catch(() => ({
      problem: response.status === 403 ? STARTED_ANEW : UNANSWERED,
      fate: 'unanswered',
    }))) as { readonly problem?: string; readonly fate?: DeskFate }
    if (reply.problem !== undefined) throw new DeskError(reply.problem, reply.fate)
    return reply as T
  }
  return {
    isSealed: false,
    open: async () => {
      const opened = await ask<{
        readonly opening: string
        readonly state: Awaited<ReturnType<Desk['open']>>
      }>('open', {})
      opening = opened.opening
      return opened.state
    },
    item: (item) => ask('item', { item }),
    save: async (rating) => {
      await ask('save', { rating })
    },
    handIn: async (recognised) => {
      await ask('hand-in', { recognised })
    },
  }
}
