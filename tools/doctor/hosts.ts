import { sourceHosts } from '../../benchmarks/lookup/fetch-data.ts'
import { isLoopback, proxyOf } from '../../cache/network/proxy.ts'
import type { ServerPlace } from '../../models/agreement/data-agreement.ts'
import { isLocalModel, localSettings } from '../../models/local/settings.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { deploymentsOf, type Target } from '../../targets/record/target.ts'
import type { Session } from '../session/session.ts'
import { remembered } from '../../cache/once.ts'

export interface ContactedHost {
  /** On this machine with its port: one server there may do what another does not. */
  readonly host: string
  /** This machine. */
  readonly loopback: boolean
  /** Sorted, e.g. `model openai/gpt-4o`, `judge …`, `data of medec`. */
  readonly why: readonly string[]
  /** Deployments there whose key is not at hand; a server on this machine wants none. */
  readonly withoutKey: readonly string[]
}

/** Every host that the targets would contact: models, judges, data, proxies before them. Nothing is contacted to find out. */
export const contactedHosts = async (
  targets: readonly Target[],
  session: Session,
  hasKey: (deployment: ModelDeployment) => boolean,
): Promise<readonly ContactedHost[]> => {
  const hosts = new Map<string, { why: Set<string>; withoutKey: Set<string> }>()
  const at = (host: string): { why: Set<string>; withoutKey: Set<string> } =>
    remembered(hosts, host, () => ({ why: new Set(), withoutKey: new Set() }))
  const here = new Set<string>()
  const passProxy = (url: string, host: string): void => {
    const proxy = proxyOf(url)
    if (proxy === undefined) return
    at(proxy.address).why.add(`proxy of ${proxy.variable} before ${host}`)
    if (isLoopback(new URL(proxy.url).hostname)) here.add(proxy.address)
  }
  const ask = (role: string, deployment: ModelDeployment): void => {
    const endpoint = session.env.endpoint(deployment)
    if (endpoint.kind === 'process') return
    const found = at(endpoint.kind === 'server' ? nameOf(endpoint) : '(no host: nothing says where it is)')
    if (endpoint.kind === 'server') {
      if (isLoopback(endpoint.host)) here.add(endpoint.address)
      if (endpoint.isEncrypted) passProxy(`https://${endpoint.address}`, endpoint.host)
    }
    found.why.add(`${role} ${deployment.name}`)
    if (!hasKey(deployment)) found.withoutKey.add(deployment.name)
  }
  for (const { deployment, judges } of targets) {
    ask('model', deployment)
    for (const judge of judges) ask('judge', judge.deployment)
  }
  for (const [host, why] of await downloads(targets, session)) {
    at(host).why.add(why)
    passProxy(`https://${host}`, host)
  }
  return [...hosts]
    .map(([host, { why, withoutKey }]) => ({
      host,
      loopback: here.has(host),
      why: [...why].toSorted(),
      withoutKey: here.has(host) ? [] : [...withoutKey].toSorted(),
    }))
    .toSorted((a, b) => (a.host < b.host ? -1 : 1))
}

const nameOf = ({ host, address }: ServerPlace): string => (isLoopback(host) ? address : host)

/** Data sets, weights and encoders, as far as they are not here; a mirror stands for all of them. */
const downloads = async (
  targets: readonly Target[],
  { benchmarks, workspace }: Session,
): Promise<readonly (readonly [host: string, why: string])[]> => {
  if (benchmarks.mirror !== undefined) return []
  const found: (readonly [string, string])[] = []
  for (const name of new Set(targets.map(({ spec }) => spec.benchmark.name)))
    for (const host of await sourceHosts(name, benchmarks)) found.push([host, `data of ${name}`])
  for (const target of targets)
    for (const each of deploymentsOf(target))
      if (isLocalModel(each) && localSettings(each).source.kind === 'hub')
        found.push(['huggingface.co', `weights of ${each.name}`])
  const { bert_score: encoder } = workspace.config
  for (const file of [encoder?.model, encoder?.tokenizer, encoder?.tokenizer_config])
    if (file !== undefined && 'url' in file)
      found.push([new URL(file.url).hostname, 'the encoder of BERTScore'])
  return found
}
