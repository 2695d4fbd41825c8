import { remembered } from '../../cache/once.ts'
import type { Access, Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { isLoopback } from '../../cache/network/proxy.ts'
import { EXIT, ProblemError, type Problem } from '../../cache/problems/problem.ts'
import {
  agreementAt,
  isConfidential,
  type DataAgreement,
  type Endpoint,
  type ServerPlace,
} from '../../models/agreement/data-agreement.ts'
import type { Client } from '../../models/calls/client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { deploymentsOf, type Target } from '../record/target.ts'
import type { Store } from '../../cache/store.ts'
import type { EngineEvent } from '../event.ts'
import type { SharedEnv } from '../env/env.ts'

const GRANTED: Readonly<Record<DataAgreement, readonly Access[]>> = {
  none: ['public'],
  gated: ['public', 'gated'],
  private: ['public', 'gated', 'private'],
}

type Sent = Pick<Benchmark, 'name' | 'access' | 'accessReason'> & Partial<Pick<Benchmark, 'files'>>

/** Why a benchmark's text may not be sent to a deployment, and the line that would allow it; undefined where it may. */
const refusal = (benchmark: Sent, deployment: ModelDeployment, endpoint: Endpoint): Problem | undefined => {
  const { name, access, accessReason: reason, files = [] } = benchmark
  const agreement = agreementAt(deployment, endpoint)
  if (GRANTED[agreement].includes(access)) return undefined
  const server = endpoint.kind === 'server' ? endpoint : undefined
  const open = server !== undefined && !isConfidential(server)
  return {
    code: 'models/data-agreement',
    message: `${name} is ${access}${reason === undefined ? '' : `, for ${reason}`}, and the data agreement of ${deployment.name} (${server?.host ?? 'at no known host'}) is ${agreement}${open ? ', as no agreement covers plain http to another machine' : otherHost(deployment, server)}: its text must not be sent there`,
    where: { file: deployment.file },
    remedy: `${open ? `Have ${deployment.name} served by https, or lead it to a port of this machine through a tunnel.` : agreementRemedy(deployment, access, server)} Or use another model or judge${access === 'private' && reason === undefined ? `; if anybody may read ${name}, write \`access: public\` into its ${files[0]?.split(/[\\/]/).at(-1) ?? 'benchmark.yaml'}` : ''}.`,
  }
}

const otherHost = ({ agreement }: ModelDeployment, server: ServerPlace | undefined): string =>
  agreement !== undefined &&
  server !== undefined &&
  !isLoopback(server.host) &&
  agreement.host !== server.host
    ? `; the agreement that is declared is with ${agreement.host ?? 'no host by name'}`
    : ''

const agreementRemedy = (
  { name }: ModelDeployment,
  access: Access,
  server: ServerPlace | undefined,
): string =>
  `Where an agreement covers it, add to medmake.yaml, under data_agreements: \`${name}: { level: ${access}, host: ${server?.host ?? 'HOST'} }\`. Or have ${name} served on this machine.`

/**
 * Every pair of benchmark and deployment, models and judges alike, that no data agreement covers; each pair once.
 * @param endpoint where a deployment's requests would go
 */
export const refusals = (
  targets: readonly Target[],
  endpoint: (deployment: ModelDeployment) => Endpoint,
): readonly Problem[] => {
  const found = new Map<string, Problem>()
  for (const target of targets) {
    const { benchmark } = target.spec
    if (benchmark.access === 'public') continue
    for (const each of deploymentsOf(target)) {
      const problem = refusal(benchmark, each, endpoint(each))
      if (problem !== undefined) found.set(JSON.stringify([benchmark.name, each.name]), problem)
    }
  }
  return [...found.values()]
}

/** @throws ProblemError `models/data-agreement` with all refusals at once, exit code 5 */
export const requireAgreements = (...args: Parameters<typeof refusals>): void => {
  const problems = refusals(...args)
  if (problems.length > 0) throw new ProblemError(problems, { exitCode: EXIT.dataAgreement })
}

/**
 * The last gate: asks the client itself where it is about to send.
 * @throws ProblemError `models/data-agreement`, exit code 5
 */
export const requireAgreement = (benchmark: Sent, deployment: ModelDeployment, client: Client): void => {
  const { local, server } = client
  const endpoint: Endpoint = local
    ? { kind: 'process' }
    : server === undefined
      ? { kind: 'nowhere' }
      : { kind: 'server', ...server }
  const problem = refusal(benchmark, deployment, endpoint)
  if (problem !== undefined) throw new ProblemError(problem, { exitCode: EXIT.dataAgreement })
}

/** A server of this machine that is trusted for being here: nobody said what it does with texts. */
type AssumedServer = Omit<Extract<EngineEvent, { readonly type: 'server-assumed' }>, 'type'>

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
      const known = remembered(found, place.address, () => ({
        deployments: new Set(),
        benchmarks: new Set(),
      }))
      known.deployments.add(each.name)
      known.benchmarks.add(name)
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
