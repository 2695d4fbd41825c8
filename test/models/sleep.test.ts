import { expect, test } from 'vitest'
import { sleep } from '../../models/retry.ts'

test('Whoever sleeps wakes at once when the run is given up, and not at all where it was before', async () => {
  const given = new AbortController()
  const sleeping = sleep(2 ** 30, given.signal)
  given.abort()
  await expect(sleeping).rejects.toMatchObject({ code: 'call/aborted' })
  await expect(sleep(0, given.signal)).rejects.toMatchObject({ code: 'call/aborted' })
})
