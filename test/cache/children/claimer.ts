// Claims every key that is still free, stores a value that names this process, releases; prints how many it won.
import { digestOf } from '../../../cache/values/digest.ts'
import { openStore } from '../../../cache/open-store.ts'

const [path = '', count = '0'] = process.argv.slice(2)
const store = await openStore({ path, onEvent: () => {} })
let won = 0
const work = async (key: number): Promise<void> => {
  const digest = digestOf(`key ${key}`)
  while (!store.has('completions', digest)) {
    const claim = await store.claim(digest)
    if (claim === undefined) {
      await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    // The other process may have finished between the look and the claim.
    if (!store.has('completions', digest)) {
      await store.put('completions', digest, process.pid)
      won++
    }
    await claim.release()
  }
}
for (let start = 0; start < Number(count); start += 20)
  await Promise.all(Array.from({ length: 20 }, (_, i) => work(start + i)))
await store.close()
console.log(won)
