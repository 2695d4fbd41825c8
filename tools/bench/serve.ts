import { startFakeServer } from './fake-server.ts'

// The fake server as a program of its own: `server.js <latency in ms>` prints its URL and serves until it is killed.
const { url } = await startFakeServer({ latency: Number(process.argv[2] ?? 0), keepCalls: false })
process.stdout.write(`${url}\n`)
