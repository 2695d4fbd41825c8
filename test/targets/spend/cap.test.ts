import { describe, expect, it } from 'vitest'
import {
  addAmounts,
  amountOf,
  minus,
  plus,
  roomFor,
  type Account,
  type Amounts,
  type Cap,
} from '../../../targets/spend/cap.ts'

const RUN: Cap = { period: 'run', usd: 1, name: '--max-usd' }
const account = (settled: number, reserved: number, deployment = 'a'): Account => ({
  settled: new Map([[deployment, settled]]),
  reserved: new Map([[deployment, reserved]]),
})
const NONE = account(0, 0)

const room = (own: Account, ceiling: number, caps: readonly Cap[] = [RUN], day = NONE) =>
  roomFor({ deployment: 'a', ceiling }, caps, { run: own, day })

describe('room under a cap', () => {
  it('lets a call through while even its dearest reply keeps the sum below', () => {
    expect(room(account(0.5, 0.3), 0.2).kind).toBe('fits')
  })

  it('makes a call wait whose room is only reserved', () => {
    expect(room(account(0.5, 0.4), 0.2).kind).toBe('wait')
  })

  it('is over as soon as a call would not fit even alone', () => {
    expect(room(account(0.9, 0), 0.2)).toEqual({ kind: 'over', cap: RUN })
  })

  it('takes ten times a tenth for one', () => {
    let spent: ReadonlyMap<string, number> = new Map()
    for (let call = 0; call < 10; call += 1) {
      expect(room({ settled: spent, reserved: new Map() }, 0.1).kind).toBe('fits')
      spent = plus(spent, 'a', 0.1)
    }
    expect(room({ settled: spent, reserved: new Map() }, 0.1).kind).toBe('over')
    expect(room(account(0.75, 0), 0.25).kind).toBe('fits')
    // In binary 0.1 + 0.2 is more than 0.3.
    expect(room(account(0.1, 0), 0.2, [{ ...RUN, usd: 0.3 }]).kind).toBe('fits')
    expect(room(account(0.1, 0), 0.2001, [{ ...RUN, usd: 0.3 }]).kind).toBe('over')
  })

  it('holds a deployment’s own cap against its own calls only', () => {
    const cap: Cap = { ...RUN, deployment: 'b', usd: 0.1 }
    expect(room(account(5, 0), 0.2, [cap]).kind).toBe('fits')
    expect(roomFor({ deployment: 'b', ceiling: 0.2 }, [cap], { run: NONE, day: NONE }).kind).toBe('over')
  })

  it('holds a cap of the day against the day', () => {
    const cap: Cap = { ...RUN, period: 'day' }
    expect(room(NONE, 0.2, [cap], account(0.9, 0)).kind).toBe('over')
    expect(room(account(0.9, 0), 0.2, [cap], NONE).kind).toBe('fits')
  })

  it('says over where one cap is over, though another only lets wait', () => {
    const cap: Cap = { ...RUN, deployment: 'a', usd: 0.1 }
    expect(room(account(0, 0.9), 0.2, [RUN, cap])).toEqual({ kind: 'over', cap })
  })
})

describe('minus', () => {
  it('leaves nothing of what was added and taken away in another order', () => {
    const added = [0.1, 0.2, 0.3].reduce<Amounts>((sum, usd) => plus(sum, 'a', usd), new Map())
    const left = [0.3, 0.1, 0.2].reduce<Amounts>((sum, usd) => minus(sum, 'a', usd), added)
    expect([...left]).toEqual([])
  })
})

describe('amounts', () => {
  const amounts: Amounts = new Map([
    ['a', 1],
    ['b', 2],
  ])

  it('are of one deployment or of all', () => {
    expect([
      amountOf(amounts, {}),
      amountOf(amounts, { deployment: 'b' }),
      amountOf(amounts, { deployment: 'c' }),
    ]).toEqual([3, 2, 0])
  })

  it('add up by deployment, and give back what is left', () => {
    expect([...addAmounts([amounts, new Map([['b', 3]]), new Map()])]).toEqual([
      ['a', 1],
      ['b', 5],
    ])
    expect([...minus(amounts, 'b', 0.5)]).toEqual([
      ['a', 1],
      ['b', 1.5],
    ])
  })
})
