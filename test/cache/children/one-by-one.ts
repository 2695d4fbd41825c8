// Takes its turn at a folder, says so, and stays.
import { oneByOne } from '../../../cache/claims/holding.ts'

await oneByOne(process.argv[2] ?? '', 'work', { signal: new AbortController().signal }, async () => {
  console.log('ready')
  await new Promise((resolve) => setInterval(resolve, 1_000_000))
})
