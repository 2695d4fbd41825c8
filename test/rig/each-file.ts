import { afterAll } from 'vitest'
import { endFile } from './after-file.ts'

// Vitest runs this for each test file, also where a worker keeps its modules from one to the next.
afterAll(endFile)
