// Opens the store to read and closes it, again and again, until its input ends; prints how often.
import { openStore } from '../../../cache/open-store.ts'

const [path = ''] = process.argv.slice(2)
const input = process.stdin.resume()
let opened = 0
while (!input.readableEnded) {
  const store = await openStore({ path, readOnly: true, onEvent: () => {} })
  await store.close()
  if (++opened === 1) console.log('ready')
  await new Promise((resolve) => setImmediate(resolve))
}
console.log(opened)
