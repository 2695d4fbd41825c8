// Counts of a vitest JSON report: `passed failed skipped`. A file that could not be loaded has no tests to count:
// it is one failure.
import { readFileSync } from 'node:fs'

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const broken = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
).length
console.log(
  report.numPassedTests,
  report.numFailedTests + broken,
  report.numPendingTests + report.numTodoTests,
)
