import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import type { WatchInput } from './bounded-call.ts'

const { beats, limit } = workerData as WatchInput

/** Milliseconds of a turn; of one once the process is to end, of which each other call in flight may begin the loop again. */
const TURN = 1000
const LAST_TURN = 250

let last = 0
let still = 0
let isOver = false
// Its own turns are counted, no clock is read: a process that was stopped, or slept with the machine, did not compute.
const watch = (): void => {
  const now = Atomics.load(beats, 0)
  still = now === last ? still + 1 : 0
  last = now
  if (still < (isOver ? 1 : limit)) return
  still = 0
  look()
}
let turns = setInterval(watch, TURN)

const hurry = (): void => {
  if (isOver) return
  isOver = true
  clearInterval(turns)
  turns = setInterval(watch, LAST_TURN)
}

/** Stops the main thread where it stands. Code of ours goes on; a user's ends the process in words of the main thread. */
const look = (): void => {
  const main = new Session()
  main.connectToMainThread()
  /** As `loadCode` imports it, by script. */
  const files = new Map<string, string>()
  main.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => {
    if (url.includes('?code=')) files.set(scriptId, url)
  })
  main.once('Debugger.paused', ({ params: { callFrames } }) => {
    const frame = callFrames.find(({ location }) => files.has(location.scriptId))
    if (frame === undefined) return main.disconnect()
    hurry()
    const told = [files.get(frame.location.scriptId), frame.functionName].map((text) => JSON.stringify(text))
    // Ended while it is looked at, the process would wait for that and say so: it ends by its next timer.
    main.post('Runtime.evaluate', {
      expression: `globalThis[Symbol.for('medmake.endless')](${told.join(',')})`,
    })
    main.post('Runtime.terminateExecution')
    main.post('Debugger.resume', () => main.disconnect())
  })
  main.post('Debugger.enable')
  main.post('Debugger.pause')
}
