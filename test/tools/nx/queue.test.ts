import { describe, expect, it } from 'vitest'
import { createQueue } from '../../../tools/nx/queue.ts'

const collect = async (values: AsyncGenerator<number>): Promise<number[]> => {
  const got: number[] = []
  for await (const value of values) got.push(value)
  return got
}

describe('queue', () => {
  it('gives what was pushed before, during and after the reading began', async () => {
    const queue = createQueue<number>()
    queue.push(1)
    const got = collect(queue.values())
    queue.push(2)
    await Promise.resolve()
    queue.push(3)
    queue.end()
    expect(await got).toEqual([1, 2, 3])
  })

  it('throws the error it ended with after the values', async () => {
    const queue = createQueue<number>()
    queue.push(1)
    queue.end(new Error('out of order'))
    const values = queue.values()
    expect(await values.next()).toEqual({ done: false, value: 1 })
    await expect(values.next()).rejects.toThrow('out of order')
  })
})
