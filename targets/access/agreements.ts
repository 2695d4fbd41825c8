import type { Access, Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { EXIT, ProblemError, type Problem } from '../../cache/problem.ts'
import { agreementAt, type DataAgreement, type Endpoint } from '../../models/agreement/data-agreement.ts'
import type { Client } from '../../models/clients/client.ts'
import type { ModelDeployment } from '../../models/registry/model.ts'
import type { Target } from '../record/target.ts'

const REACH: Readonly<Record<DataAgreement, readonly Access[]>> = {
  none: ['public'],
  gated: ['public', 'gated'],
  private: ['public', 'gated', 'private'],
}

type Sent = Pick<Benchmark, 'name' | 'access'>

/** Why a benchmark's text may not be sent to a deployment, and the line that would allow it; undefined where it may. */
const refusal = (benchmark: Sent, deployment: ModelDeployment, endpoint: Endpoint): Problem | undefined => {
  const { name, access } = benchmark
  const agreement = agreementAt(deployment, endpoint)
  if (REACH[agreement].includes(access)) return undefined
  const host = endpoint.kind === 'server' ? endpoint.host : undefined
  const other =
    deployment.agreement !== undefined && host !== undefined && deployment.agreement.host !== host
      ? `; the agreement that is declared is with ${deployment.agreement.host ?? 'no host by name'}`
      : ''
  return {
    code: 'models/data-agreement',
    message: `${name} is ${access}, and the data agreement of ${deployment.name} (${host ?? 'at no known host'}) is ${agreement}${other}: its text must not be sent there`,
    where: { file: deployment.file },
    remedy: `Where an agreement covers it, add to medmake.yaml, under data_agreements: \`${deployment.name}: { level: ${access}, host: ${host ?? 'HOST'} }\`. Or have ${deployment.name} served on this machine, or use another model or judge${access === 'private' ? `; if anybody may read ${name}, write \`access: public\` into its benchmark.yaml` : ''}.`,
  }
}

/**
 * Every pair of benchmark and deployment, models and judges alike, that no data agreement covers; each pair once.
 * @param endpoint where a deployment's requests would go
 */
export const refusals = (
  targets: readonly Target[],
  endpoint: (deployment: ModelDeployment) => Endpoint,
): readonly Problem[] => {
  const found = new Map<string, Problem>()
  for (const { spec, deployment, judges } of targets) {
    const { benchmark } = spec
    if (benchmark.access === 'public') continue
    for (const each of [deployment, ...judges.map((judge) => judge.deployment)]) {
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
  const { local, host } = client
  const endpoint: Endpoint = local
    ? { kind: 'process' }
    : host === undefined
      ? { kind: 'nowhere' }
      : { kind: 'server', host }
  const problem = refusal(benchmark, deployment, endpoint)
  if (problem !== undefined) throw new ProblemError(problem, { exitCode: EXIT.dataAgreement })
}
