import { parentPort } from 'node:worker_threads'
import { writeDisplayFiles, type PageTask } from './display-files.ts'

// A thread that writes runs' pages, one a message. What it throws ends it, and reaches whoever started it as an error.
parentPort?.on('message', (task: PageTask) => {
  void writeDisplayFiles(task).then((problems) => parentPort?.postMessage(problems, []))
})
