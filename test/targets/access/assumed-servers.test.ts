import { expect, test } from 'vitest'
import { memoryStore } from '../../../cache/memory-store.ts'
import type { Access } from '../../../benchmarks/scenario/benchmark.ts'
import type { Endpoint } from '../../../models/agreement/data-agreement.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import {
  ASSUMED_REMEDY,
  assumedServers,
  assumedText,
  tellAssumed,
} from '../../../targets/access/agreements.ts'
import type { Listener } from '../../../targets/event.ts'
import type { Target } from '../../../targets/record/target.ts'

const deployment = (name: string, more: Partial<ModelDeployment> = {}): ModelDeployment =>
  ({ name, ...more }) as ModelDeployment
const targetOf = (
  name: string,
  access: Access,
  model: ModelDeployment,
  judges: readonly ModelDeployment[] = [],
): Target =>
  ({
    spec: { benchmark: { name, access } },
    deployment: model,
    judges: judges.map((each) => ({ deployment: each })),
  }) as unknown as Target
const at = (host: string, port: number): Endpoint => ({
  kind: 'server',
  host,
  address: `${host}:${port}`,
  isEncrypted: false,
})
const endpoint = ({ name }: ModelDeployment): Endpoint => {
  if (name.startsWith('far')) return at('x.example', 80)
  if (name === 'inside') return { kind: 'process' }
  return at('127.0.0.1', name.startsWith('b') ? 2 : 1)
}

const targets = [
  targetOf('wards', 'private', deployment('b/n'), [
    deployment('a/m'),
    deployment('far/m'),
    deployment('inside'),
  ]),
  targetOf('notes', 'gated', deployment('a/m')),
  targetOf('open', 'public', deployment('b/open')),
  targetOf('said', 'private', deployment('a/said', { agreement: { level: 'private' } })),
]
const FOUND = [
  { address: '127.0.0.1:1', deployments: ['a/m'], benchmarks: ['notes', 'wards'] },
  { address: '127.0.0.1:2', deployments: ['b/n'], benchmarks: ['wards'] },
]

test('Servers of this machine that get texts for being here are named with what they get, in order.', () => {
  expect(assumedServers(targets, endpoint)).toEqual(FOUND)
  expect(assumedServers(targets.toReversed(), endpoint)).toEqual(FOUND)
})

test('What is said of one names address, deployments, benchmarks and the way to say otherwise.', () => {
  expect(assumedText({ address: 'localhost:1', deployments: ['a', 'b'], benchmarks: ['x', 'y'] })).toBe(
    'localhost:1 (a, b) gets texts of x, y, for it is on this machine; whether it passes them on is not known here',
  )
  expect(ASSUMED_REMEDY).toContain('data_agreement: none')
})

test('Each is told of once a store, and again where another deployment is at the address.', async () => {
  const records = memoryStore()
  const events: Parameters<Listener>[0][] = []
  const env = { endpoint, records, listener: (event: Parameters<Listener>[0]) => void events.push(event) }
  await tellAssumed(targets, env)
  await tellAssumed(targets, env)
  expect(events).toEqual(FOUND.map((server) => ({ type: 'server-assumed', ...server })))
  await tellAssumed([targetOf('wards', 'private', deployment('a/other'))], env)
  expect(events).toHaveLength(3)
})
