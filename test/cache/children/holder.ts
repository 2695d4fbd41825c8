// Opens the store, claims a digest, says so, and stays.
import { digestOf } from '../../../cache/values/digest.ts'
import { openStore } from '../../../cache/open-store.ts'

const store = await openStore({ path: process.argv[2] ?? '', onEvent: () => {} })
await store.claim(digestOf('held'))
await store.put('records', 'held', 1)
console.log('ready')
setInterval(() => {}, 1000)
