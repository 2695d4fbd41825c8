import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { spawnMedmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace } from '../../rig/workspace.ts'

/** Not even its kind can be asked for. */
const kindless = (target: string): string => `new Proxy(${target}, { getPrototypeOf() { throw 1 } })`

const ECHO = shortBenchmark(
  { name: 'echo', access: 'public', metrics: ['own', 'exact_match'] },
  { prompt: 'Repeat: {line}', data: 'line,correct_answer\none,one\n' },
)

it.each([
  ['gives such a list', `() => ${kindless('[]')}`, 'it ended with: 1', 0],
  [
    'gives a getter that throws it',
    `() => ({ get own() { throw ${kindless('{}')} } })`,
    'what can’t be told in words',
    0,
  ],
  [
    'leaves it behind',
    `() => { void Promise.reject(${kindless('{}')}); return { own: 1 } }`,
    'left an error behind: what can’t be told in words [code/stray-error]',
    1,
  ],
])('What has no kind is told where a metric %s.', async (_, evaluate, told, exit) => {
  const cwd = createWorkspace({
    'package.json': '{"type": "module"}',
    ...ECHO,
    'targets/metrics/own.js': `export const metric = { measures: [{ name: 'own' }], evaluate: ${evaluate} }\n`,
    'targets/main.conf': 'entries: [{description: "echo:model=baseline/lead"}]',
  })
  const { code, stdout, stderr } = await spawnMedmake(['run'], { cwd })
  expect([code, stderr]).toEqual([exit, expect.stringContaining(told)])
  expect(stdout).toContain('1 target: 0 fresh, 1 built')
  expect(stderr).not.toMatch(/\n\s+at /)
})

it('JavaScript is taken as a module where its package is of CommonJS, as `npm init` makes one', async () => {
  const cwd = createWorkspace({
    'package.json': '{"type": "commonjs"}',
    'targets/metrics/kept.js': `import { defineMetric } from 'medmake'
import { NAME } from './name.js'
export const metric = defineMetric({ measures: [{ name: NAME }], evaluate: () => ({ [NAME]: 1 }) })
`,
    'targets/metrics/name.js': "export const NAME = 'kept'\n",
  })
  const { stdout, stderr } = await spawnMedmake(['metrics', 'kept'], { cwd })
  expect(stdout).toContain('targets/metrics/kept')
  expect(stderr).not.toContain('module')
})

it.each(['module.exports = { path: require("node:path"), metric: define }', 'exports.metric = define'])(
  'CommonJS runs, requires `medmake`, and is told as no unused file: %s',
  async (exported) => {
    const cwd = createWorkspace({
      'package.json': '{"type": "commonjs"}',
      ...ECHO,
      'targets/metrics/own.js': `const { defineMetric } = require('medmake')
const define = defineMetric({ measures: [{ name: 'own' }], evaluate: () => ({ own: 1 }) })
${exported}
`,
      'targets/main.conf': 'entries: [{description: "echo:model=baseline/lead"}]',
      'node_modules/.keep': '',
    })
    symlinkSync(packageRoot(), join(cwd, 'node_modules/medmake'))
    const { code, stdout, stderr } = await spawnMedmake(['run'], {
      cwd,
      env: { XDG_CACHE_HOME: join(cwd, 'cache') },
    })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('never used')])
    expect(stdout).toContain('1 target: 0 fresh, 1 built')
  },
)

it('CommonJS in a package of ES modules is refused without advice that leads to another refusal', async () => {
  const cwd = createWorkspace({
    'package.json': '{"type": "module"}',
    'targets/metrics/kept.js': "exports.metric = require('medmake').defineMetric({})\n",
  })
  const { stdout, stderr } = await spawnMedmake(['metrics', 'kept'], { cwd })
  expect(stdout + stderr).toContain('in ES module scope')
  expect(stdout + stderr).not.toContain('.cjs')
})
