import { isLoopback } from '../../cache/network/proxy.ts'
import type { Endpoint } from '../../models/agreement/data-agreement.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Store } from '../../cache/store.ts'
import type { EngineEvent } from '../event.ts'
import type { SharedEnv } from '../env/env.ts'
import { deploymentsOf, type Target } from '../record/target.ts'

/** A server of this machine that is trusted for being here: nobody said what it does with texts. */
export type AssumedServer = Omit<Extract<EngineEvent, { readonly type: 'server-assumed' }>, 'type'>

/** Where texts that are not public would go without anyone's word, by address. */
export const assumedServers = (
  targets: readonly Target[],
  endpoint: (deployment: ModelDeployment) => Endpoint,
): readonly AssumedServer[] => {
  const found = new Map<string, { deployments: Set<string>; benchmarks: Set<string> }>()
  for (const target of targets) {
    const { access, name } = target.spec.benchmark
    if (access === 'public') continue
    for (const each of deploymentsOf(target)) {
      const place = endpoint(each)
      if (each.agreement !== undefined || place.kind !== 'server' || !isLoopback(place.host)) continue
      const known = found.get(place.address) ?? { deployments: new Set(), benchmarks: new Set() }
      known.deployments.add(each.name)
      known.benchmarks.add(name)
      found.set(place.address, known)
    }
  }
  return [...found]
    .map(([address, { deployments, benchmarks }]) => ({
      address,
      deployments: [...deployments].toSorted(),
      benchmarks: [...benchmarks].toSorted(),
    }))
    .toSorted((a, b) => (a.address < b.address ? -1 : 1))
}

/** `127.0.0.1:8000 (a/m) gets texts of wards: …` */
export const assumedText = ({ address, deployments, benchmarks }: AssumedServer): string =>
  `${address} (${deployments.join(', ')}) gets texts of ${benchmarks.join(', ')}, for it is on this machine; whether it passes them on is not known here`

/** What to do about it. */
export const ASSUMED_REMEDY =
  'If it does, write `data_agreement: none` into its deployment: nothing but public text goes there then. `data_agreement: private` says that it was looked into.'

/** Tells of each once a store. */
export const tellAssumed = async (
  targets: readonly Target[],
  { endpoint, records, listener }: Pick<SharedEnv, 'endpoint' | 'records' | 'listener'>,
): Promise<void> => {
  for (const server of assumedServers(targets, endpoint))
    if (await isNew(server, records)) listener({ type: 'server-assumed', ...server })
}

const isNew = async ({ address, deployments }: AssumedServer, store: Store): Promise<boolean> => {
  const id = `assumed:${address} ${deployments.join(' ')}`
  if (store.has('files', id)) return false
  await store.put('files', id, true)
  return true
}
