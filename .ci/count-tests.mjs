// Counts of a vitest JSON report: `passed failed skipped`. A file that could not be loaded has no tests to count:
// it is one failure. What failed, and what passed only when tried again, is told in a second file, a paragraph each:
// a log is read from its end.
import { appendFileSync, readFileSync } from 'node:fs'

const [, , from, to] = process.argv
const report = JSON.parse(readFileSync(from, 'utf8'))
const tests = report.testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map(({ status, fullName, failureMessages }) => ({
    status,
    title: `${name}: ${fullName}`,
    message: failureMessages.join('\n'),
  })),
)
const failed = tests.filter(({ status }) => status === 'failed')
const unsteady = tests.filter(({ status, message }) => status === 'passed' && message !== '')
const broken = report.testResults
  .filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  .map(({ name, message }) => ({ title: `${name} was not loaded`, message }))
const tell = (found, what) =>
  found.map(({ title, message }) => `!! ${what}: ${title}\n${message.slice(0, 2000)}\n`).join('')
appendFileSync(to, tell(unsteady, 'passed only when tried again') + tell([...failed, ...broken], 'failed'))
console.log(
  report.numPassedTests,
  report.numFailedTests + broken.length,
  report.numPendingTests + report.numTodoTests,
)
