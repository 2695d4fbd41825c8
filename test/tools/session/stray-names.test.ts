import { describe, expect, it } from 'vitest'
import type { Session } from '../../../tools/session/session.ts'
import { strayNames } from '../../../tools/session/stray-names.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const root = createWorkspace({ 'targets/monthly.conf': 'entries: []' })

const stray = (config: object, asked?: Parameters<typeof strayNames>[1]) =>
  strayNames(
    {
      workspace: {
        root,
        config: { data_agreements: {}, margins: {}, errata: 'none', suites: {}, ...config },
      },
      registry: { deployments: [{ name: 'acme/large' }] },
    } as unknown as Pick<Session, 'workspace' | 'registry'>,
    asked,
  )

describe('a name of medmake.yaml', () => {
  it.each([
    ['data_agreements', { data_agreements: { 'acme/larg': {} } }, 'deployment "acme/larg"', 'acme/large'],
    [
      'budget.deployments',
      { budget: { deployments: { 'acme/larg': {} } } },
      'deployment "acme/larg"',
      'acme/large',
    ],
    ['margins', { margins: { pubmedqa: 0.1 } }, 'benchmark "pubmedqa"', 'pubmed_qa'],
    ['errata', { errata: { pubmedqa: 'corrected' } }, 'benchmark "pubmedqa"', 'pubmed_qa'],
    ['suites', { suites: { montly: {} } }, 'suite "montly"', 'monthly'],
  ])('that is nobody’s is told with the one that is meant: %s', async (setting, config, name, meant) => {
    expect(await stray(config)).toEqual([
      {
        message: `medmake.yaml, ${setting}: there is no ${name} here, so what it says of it holds for nobody`,
        remedy: `Did you mean "${meant}"? Correct the name, or take it out.`,
      },
    ])
  })

  it('that a deployment, benchmark or suite has, or that a run asks for, is fine', async () => {
    const named = {
      data_agreements: { 'acme/large': {} },
      budget: { deployments: { 'acme/large': {} } },
      margins: { pubmed_qa: 0.1, own: 0.1 },
      suites: { monthly: {}, late: {} },
    }
    expect(await stray(named, { suites: ['late'], benchmarks: ['own'] })).toEqual([])
    expect((await stray(named)).map(({ message }) => /"(\w+)"/.exec(message)?.[1])).toEqual(['own', 'late'])
    expect(await stray({})).toEqual([])
  })
})
