// Puts records without end, 16 at a time, and prints each id once its put has resolved.
import { writeSync } from 'node:fs'
import { openStore } from '../../../cache/open-store.ts'

const [path = '', round = ''] = process.argv.slice(2)
const store = await openStore({ path, onEvent: () => {} })
let next = 0
const work = async (): Promise<void> => {
  for (;;) {
    const id = `${round}-${next++}`
    await store.put('completions', id, { id, text: id.repeat(50) })
    writeSync(1, `${id}\n`)
  }
}
await Promise.all(Array.from({ length: 16 }, work))
