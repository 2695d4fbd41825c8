// Shuts the gate of a store, or marks a commit to it, says so, and stays.
import { Claims, COMMIT } from '../../../cache/claims/claims.ts'

const [folder = '', what = ''] = process.argv.slice(2)
const claims = new Claims(folder)
if (what === 'opens') claims.take('gate')
else claims.mark(COMMIT)
console.log('ready')
setInterval(() => {}, 1000)
