import { afterAll } from 'vitest'
import { releaseProcess, restoreBuiltins } from '../../cache/user-code/guards.ts'
import { endFile } from './after-file.ts'

// Vitest runs this for each test file, also where a worker keeps its modules from one to the next. What was taken from a user's
// code that ran in this process is given back to the tests of the next file, and what it replaced is put down to none of theirs.
afterAll(async () => {
  releaseProcess()
  restoreBuiltins()
  await endFile()
})
