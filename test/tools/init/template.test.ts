import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { identityOf } from '../../../models/clients/create-client.ts'
import { serverOf } from '../../../models/clients/chat/server-of.ts'
import { loadRegistry } from '../../../models/registry/load.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const TEMPLATE = readFileSync(join(packageRoot(), 'tools/init/template/models/local.yaml'), 'utf8')

describe("the template's models", () => {
  it('can be reached as they are written, those behind # too', async () => {
    const workspace = createWorkspace({ 'models/local.yaml': TEMPLATE.replaceAll(/^#(?= {2,})/gm, '') })
    const { deployments } = await loadRegistry({
      catalog: join(workspace, 'none'),
      workspace,
      localPath: join(workspace, 'prod_env'),
    })
    expect(deployments.length).toBeGreaterThan(12)
    const credentials = { lookup: (_name: string, what: string) => (what === 'ApiKey' ? 'k' : undefined) }
    for (const deployment of deployments) {
      expect(identityOf(deployment).protocol).toBe('chat')
      expect(serverOf(deployment, credentials).baseUrl).toMatch(/^https?:/)
    }
  })
})
