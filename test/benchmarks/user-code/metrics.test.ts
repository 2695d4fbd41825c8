import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadMetricCode } from '../../../benchmarks/user-code/use-code.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { ADAPTER_DEFAULTS } from '../../../benchmarks/scenario/adapter-spec.ts'
import { codeMetric } from '../../../targets/metrics/code/code-metric.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { createWorkspace } from '../../rig/workspace.ts'
import { sampleState } from '../../tools/helm/sample-run.ts'

const adapter = { ...ADAPTER_DEFAULTS, method: 'generation', model: 'a/b', modelDeployment: 'a/b' } as const

const load = (code: string) => {
  const workspace = createWorkspace({
    'package.json': '{"type": "module"}',
    'targets/metrics/kept.js': `export const metric = ${code}\n`,
  })
  const file = join(workspace, 'targets/metrics/kept.js')
  return loadMetricCode('kept', file, benchmarkContext({ workspace }))
}

it.each([
  ["{ get measures() { throw new Error('no measures') } }", "can't be used: no measures"],
  [
    '{ get measures() { throw new Proxy({}, { getPrototypeOf() { throw 1 } }) } }',
    "can't be used: what can’t be told in words",
  ],
  [
    "{ measures: [{ name: 'kept', unit: '0 or 1', most: 9 }], evaluate: () => ({}) }",
    'what is 0 or 1 goes from 0 to 1',
  ],
  [
    "{ measures: [{ name: 'kept', least: 1, most: 0 }], evaluate: () => ({}) }",
    '`least` must be below `most`',
  ],
])('A metric of a workspace is refused as a problem where it is %s.', async (code, told) => {
  const error: unknown = await load(code).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ProblemError)
  expect((error as ProblemError).problems[0]).toMatchObject({
    code: 'metrics/code',
    message: expect.stringContaining(told) as string,
  })
})

it.each([
  ['({ kept: 1e308 })', 'kept is 1e+308, too large to sum up'],
  ['{ throw Object.create(null) }', 'it ended with: what can’t be told in words'],
  ["{ throw new Error('\\ud800') }", 'it ended with: \ufffd'],
])('A metric of a workspace has no value of an answer where it gives %s.', async (body, told) => {
  const code = await load(
    `{ measures: [{ name: 'kept', unit: 'points', most: null }], evaluate: () => ${body} }`,
  )
  const spec = { metric: 'kept', helm: { className: 'x', args: new Map() } }
  expect(() => codeMetric(code).evaluate(sampleState('id0'), spec, adapter)).toThrow(told)
})
