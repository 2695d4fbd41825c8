// Opens the store to read, prints what it finds under an id, waits for its input to end, prints it again.
import { openStore } from '../../../cache/open-store.ts'

const [path = '', id = ''] = process.argv.slice(2)
const store = await openStore({ path, readOnly: true, onEvent: (event) => console.log(event) })
console.log(JSON.stringify(store.get('completions', id)))
await new Promise((resolve) => process.stdin.on('end', resolve).resume())
console.log(JSON.stringify(store.get('completions', id)))
await store.close()
