import { DeskError, type Desk } from '../desk.ts'

/** A desk that the medmake of this machine serves. */
export const remoteDesk = (): Desk => {
  /** Which opening of the desk this is: a later one, in another tab, takes over. */
  let opening = 0
  const ask = async <T>(name: string, body: object): Promise<T> => {
    let response: Response
    try {
      response = await fetch(`api/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ opening, ...body }),
      })
    } catch {
      throw new DeskError('medmake is not running any more. Start it again, then open the new link.')
    }
    const reply = (await response.json()) as { readonly problem?: string; readonly over?: boolean }
    if (reply.problem !== undefined) throw new DeskError(reply.problem, reply.over === true)
    return reply as T
  }
  return {
    isSealed: false,
    open: async () => {
      const opened = await ask<{
        readonly opening: number
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
