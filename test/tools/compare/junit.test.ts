import { expect, it } from 'vitest'
import { junitXml } from '../../../tools/compare/junit.ts'
import { markdownTable } from '../../../cache/words/tables.ts'

it('a JUnit report counts its cases and escapes what XML does not take', () => {
  const xml = junitXml('a & b', [
    { suite: 's', name: 'one "<1>"', output: 'line\nnext\u0007' },
    { suite: 't', name: 'two', outcome: { kind: 'failure', message: 'p < 0.05' } },
    { suite: 's', name: 'three', outcome: { kind: 'skipped', message: 'new' } },
  ])
  expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="a &amp; b" tests="3" failures="1" errors="0" skipped="1">
  <testsuite name="s" tests="2" failures="0" errors="0" skipped="1">
    <testcase classname="s" name="one &quot;&lt;1&gt;&quot;"><system-out>line&#10;next</system-out></testcase>
    <testcase classname="s" name="three"><skipped message="new"/></testcase>
  </testsuite>
  <testsuite name="t" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="t" name="two"><failure message="p &lt; 0.05"/></testcase>
  </testsuite>
</testsuites>
`)
})

it('a Markdown table keeps bars and line ends within their cells', () => {
  expect(markdownTable(['a', 'b'], [['x|y', '1\n2']])).toBe('| a | b |\n|---|---:|\n| x\\|y | 1 2 |')
})
