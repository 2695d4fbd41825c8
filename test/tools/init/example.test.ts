import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { spawnMedmake } from '../../rig/medmake.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { writeFiles } from '../../rig/workspace.ts'

it('init --example makes a workspace whose own metric and client run as they stand', async () => {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      expect(Object.keys(JSON.parse(body) as object)).toEqual(['text', 'limit'])
      return response.end(JSON.stringify({ answer: 'Fever, and no cough.' }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cwd = temporaryFolder()
  expect((await spawnMedmake(['init', '.', '--example', '--force'], { cwd })).code).toBe(0)
  // Else tsc with `module: node16` takes its code for CommonJS, which may not import medmake.
  expect(readFileSync(join(cwd, 'package.json'), 'utf8')).toContain('"type": "module"')
  const models = readFileSync(join(cwd, 'models/plain.yaml'), 'utf8')
  writeFiles(cwd, {
    'models/plain.yaml': models.replace('8321', String((server.address() as AddressInfo).port)),
    'targets/example.conf':
      'entries: [{description: "visit_note:model=baseline/lead"}, {description: "visit_note:model=local/plain"}]',
  })
  const run = await spawnMedmake(['run', 'example'], { cwd })
  expect(run.code, run.stderr).toBe(0)
  const { stdout } = await spawnMedmake(['report', '--json'], { cwd })
  expect(stdout).toContain('Affirmed terms (F1)')
  server.close()
})

it.each([
  ['benchmark', 'benchmarks/smoking_status/benchmark.yaml', ['prompt_file', 'protocols']],
  ['models', 'models/local.yaml', ['model_deployments', 'data_agreement']],
  ['medmake', 'medmake.yaml', ['max_eval_instances', 'budget']],
])('%s files that init writes name a JSON Schema that knows their keys', (name, file, keys) => {
  const template = readFileSync(join(packageRoot(), 'tools/init/template', file), 'utf8')
  expect(template).toMatch(
    new RegExp(`^# yaml-language-server: \\$schema=.*dist/schemas/${name}\\.schema\\.json\n`),
  )
  const schema = readFileSync(join(packageRoot(), 'dist/schemas', `${name}.schema.json`), 'utf8')
  for (const key of keys) expect(schema).toContain(`"${key}"`)
})
