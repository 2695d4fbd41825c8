import { expect, test } from 'vitest'
import type { Digest } from '../../../cache/values/digest.ts'
import { envFor } from '../../../targets/env/env.ts'
import { queryAnnotator } from '../../../targets/stages/annotations.ts'
import { madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'

test('Queries are run once for what they are: another answer, question or database is another result.', async () => {
  const instances = madeUpInstances([
    ['How many?', 'SELECT 1'],
    ['How many now?', 'SELECT 3'],
  ])
  const [first, second] = instances
  if (first === undefined || second === undefined) throw new Error('there are two')
  const ran: string[] = []
  const { env } = await madeUpRun(() => textReply(''), {
    more: {
      sqlBox: () => ({
        query: async (sql) => {
          ran.push(sql)
          return { kind: 'rows', rows: [[sql]] }
        },
        close: async () => undefined,
      }),
    },
  })
  const open = async (digest: string) => {
    const locate = async () => ({ path: 'db', digest: digest as Digest<'file'> })
    const { spec, ...target } = madeUpTarget({
      instances,
      benchmark: { queries: { annotator: 'queries', locate } },
    })
    const own = await queryAnnotator({ spec, ...target }, await envFor(spec.benchmark, env))
    if (own === undefined) throw new Error('there is a database')
    return own
  }
  const annotator = await open('a')
  for (const [instance, answer, other] of [
    [first, 'SELECT 1', annotator],
    [first, 'SELECT 2', annotator],
    [second, 'SELECT 2', annotator],
    [{ ...second, extraData: new Map([['row', 2]]) }, 'SELECT 2', annotator],
    [second, 'SELECT 2', await open('b')],
  ] as const) {
    const before = ran.length
    expect(other.peek(instance, answer)).toMatchObject([{ isStored: false }])
    expect(await other.run(instance, answer)).toMatchObject([{ cached: false, retriable: false }])
    expect(ran.slice(before)).toEqual([instance.references[0]?.text, answer])
    expect(await other.run(instance, answer)).toMatchObject([{ cached: true }])
    expect(ran).toHaveLength(before + 2)
  }
})
