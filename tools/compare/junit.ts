/** What a CI server shows as a test. */
export interface JunitCase {
  readonly suite: string
  readonly name: string
  /** Absent: passed. */
  readonly outcome?: { readonly kind: 'failure' | 'error' | 'skipped'; readonly message: string }
  /** Figures to read beside it. */
  readonly output?: string
}

/** JUnit's XML, suites in the order in which their cases first come. No times: the same results give the same file. */
export const junitXml = (name: string, cases: readonly JunitCase[]): string => {
  const suites = [...new Set(cases.map(({ suite }) => suite))]
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escape(name)}"${counts(cases)}>`,
    ...suites.flatMap((suite) => {
      const own = cases.filter((each) => each.suite === suite)
      return [`  <testsuite name="${escape(suite)}"${counts(own)}>`, ...own.map(caseXml), '  </testsuite>']
    }),
    '</testsuites>',
    '',
  ].join('\n')
}

const counts = (cases: readonly JunitCase[]): string => {
  const count = (kind: string): number => cases.filter(({ outcome }) => outcome?.kind === kind).length
  return ` tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`
}

const caseXml = ({ suite, name, outcome, output }: JunitCase): string => {
  const inner = [
    ...(outcome === undefined ? [] : [`<${outcome.kind} message="${escape(outcome.message)}"/>`]),
    ...(output === undefined ? [] : [`<system-out>${escape(output)}</system-out>`]),
  ].join('')
  return `    <testcase classname="${escape(suite)}" name="${escape(name)}">${inner}</testcase>`
}

/** XML 1.0 has no place at all for most control characters. */
const escape = (text: string): string =>
  Array.from(text)
    .filter((letter) => letter >= ' ' || letter === '\n' || letter === '\t')
    .join('')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
