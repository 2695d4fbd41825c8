import { startFakeServer } from './fake-server.ts'
import { faultyAnswer, type Faults } from './faults.ts'

// The fake server as a program of its own: `server.js <latency in ms> [faults as JSON]` prints its URL and serves until
// it is killed.
const [, , latency = '0', faults] = process.argv
const { url } = await startFakeServer({
  latency: Number(latency),
  keepCalls: false,
  ...(faults === undefined ? {} : { answer: faultyAnswer(JSON.parse(faults) as Faults) }),
})
process.stdout.write(`${url}\n`)
