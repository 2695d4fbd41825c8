import { expect, it } from 'vitest'
import { spawnMedmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

it.each([
  ['heeds no signal', 'new Promise(() => setInterval(() => {}, 1000))'],
  ['heeds it', "new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('mine'))))"],
])(
  "a run ends in time, and names the workspace's client, where one that %s never answers",
  async (_, never) => {
    const cwd = createWorkspace({
      'medmake.yaml': 'timeout: 0.1\nattempts: 1\n',
      'models/clients/plain.ts': `export const client = { complete: (_request, _context, signal) => ${never} }\n`,
      'models/own.yaml': `model_deployments:
  - name: own/plain
    client_spec: { class_name: workspace.clients.plain, args: { base_url: "http://127.0.0.1:9/" } }
`,
    })
    const { code, stdout } = await spawnMedmake(
      ['run', '-r', 'demo_multiple_choice:model=own/plain', '-m', '1', '--suite', 'demo', '--json'],
      { cwd },
    )
    expect(code).toBe(1)
    const { failures } = JSON.parse(stdout) as {
      readonly failures: readonly { readonly code: string; readonly detail: string }[]
    }
    expect(failures.map((failure) => [failure.code, failure.detail])).toEqual([
      ['call/timeout', 'models/clients/plain.ts gave no answer in 0.1 s'],
    ])
  },
)
