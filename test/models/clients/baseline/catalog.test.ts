import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { BASELINES, createBaselineClient } from '../../../../models/clients/baseline/client.ts'
import { identityOf } from '../../../../models/clients/create-client.ts'
import { loadRegistry } from '../../../../models/registry/load.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const nowhere = `${root}/test/nowhere`
const registry = await loadRegistry({
  catalog: `${root}/models/catalog`,
  workspace: nowhere,
  localPath: nowhere,
})

describe('the catalog of embedded models', () => {
  test.each([...BASELINES.keys()])('declares %s with a deployment that opens it', (name) => {
    const deployment = registry.defaultDeployment(`baseline/${name}`)
    expect(registry.model(`baseline/${name}`)).toMatchObject({
      creatorOrganization: 'medmake',
      access: 'open',
    })
    expect(deployment && identityOf(deployment)).toEqual({
      deployment: `baseline/${name}`,
      modelString: name,
      protocol: 'baseline',
    })
    expect(createBaselineClient(name).local).toBe(true)
  })

  test('declares the simple model as HELM does', () => {
    expect(registry.model('simple/model1')).toMatchObject({
      displayName: 'Simple Model 1',
      creatorOrganization: 'Helm',
      description: 'This is a test model.',
      releaseDate: '2023-01-01',
    })
    expect(registry.defaultDeployment('simple/model1')?.tokenizerName).toBe('simple/tokenizer1')
  })
})
