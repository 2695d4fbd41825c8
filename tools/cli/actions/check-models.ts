import { EXIT, ProblemError, type ExitCode } from '../../../cache/problem.ts'
import { ClientError, type CompletionRequest, type Reply } from '../../../models/clients/client.ts'
import { environmentName } from '../../../models/registry/credentials.ts'
import type { ModelDeployment } from '../../../models/registry/model.ts'
import type { Session } from '../../session/session.ts'
import { findWorkspace } from '../../session/workspace.ts'
import { boolFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'

/** Short, and none of anybody's data. */
const REQUEST: CompletionRequest = {
  messages: [{ role: 'user', content: 'Answer with the word "ready" and nothing else.' }],
  temperature: 0,
  topP: 1,
  maxTokens: 16,
  stop: [],
  n: 1,
  sampleIndex: 0,
}

/** What a deployment did with the request. */
type Check =
  | { readonly deployment: string; readonly seconds: number; readonly reply: Reply }
  | { readonly deployment: string; readonly code: string; readonly message: string; readonly remedy: string }

/** `medmake models check NAME…`: one small call each, never stored. Exits with 1 where one gave no answer. */
export const checkModels = async (names: readonly string[], invocation: Invocation): Promise<ExitCode> => {
  const { cwd, flags, print } = invocation
  const workspace = await findWorkspace(cwd)
  return withSession(invocation, { workspace }, async (session) => {
    const deployments = names.map((name) => deploymentOf(name, session))
    if (deployments.length === 0) throw noName()
    const checks: Check[] = []
    for (const deployment of deployments) {
      const check = await checkOnce(deployment, session)
      checks.push(check)
      if (!boolFlag(flags, 'json')) for (const line of linesOf(check)) print(line)
    }
    if (boolFlag(flags, 'json')) print(JSON.stringify({ checks }))
    return checks.every((check) => 'reply' in check) ? EXIT.done : EXIT.incomplete
  })
}

const deploymentOf = (name: string, { registry }: Session): ModelDeployment => {
  const found = registry.deployment(name) ?? registry.defaultDeployment(name)
  if (found !== undefined) return found
  throw new ProblemError({
    code: 'models/unknown-deployment',
    message: `there is no deployment ${name}`,
    remedy: `${registry.suggest(name)}medmake models lists them.`,
  })
}

const noName = (): ProblemError =>
  new ProblemError({
    code: 'cli/missing-argument',
    message: 'nothing says which deployment to check',
    remedy: 'Name one or several: medmake models check local/llama.',
  })

const checkOnce = async (deployment: ModelDeployment, { env, localModels }: Session): Promise<Check> => {
  try {
    const client = await env.client((await localModels?.locate(deployment)) ?? deployment)
    const started = performance.now()
    const reply = await client.complete(REQUEST, env.abort)
    return { deployment: deployment.name, seconds: (performance.now() - started) / 1000, reply }
  } catch (error) {
    if (error instanceof ClientError)
      return {
        deployment: deployment.name,
        code: error.code,
        message: error.message,
        remedy: remedyOf(error, deployment),
      }
    const problem = error instanceof ProblemError ? error.problems[0] : undefined
    if (problem === undefined) throw error
    return {
      deployment: deployment.name,
      code: problem.code,
      message: [problem.where?.file ?? [], problem.message].flat().join(': '),
      remedy: problem.remedy,
    }
  }
}

const remedyOf = ({ code, status }: ClientError, { name, file }: ModelDeployment): string => {
  const host = name.split('/')[0] ?? name
  if (status === 401 || status === 403)
    return `Check the key in ${environmentName(host, 'ApiKey')} or prod_env/credentials.conf, and what it may ask.`
  if (status === 404) return `Check base_url and model in ${file}: the server knows no such path or model.`
  if (status === 429) return 'Wait, or ask for a higher limit; limits in the deployment keep runs below it.'
  if (status !== undefined && status >= 500) return 'The fault is the server’s: try again, or read its log.'
  if (status !== undefined) return `The server refuses the request: check model and class_name in ${file}.`
  if (code === 'call/connection') return `See that the server runs, and check base_url in ${file}.`
  if (code === 'call/timeout') return 'See that the server answers at all, or raise timeout in medmake.yaml.'
  return `Check the deployment in ${file}.`
}

const linesOf = (check: Check): readonly string[] => {
  if (!('reply' in check))
    return [`${check.deployment}: no answer: ${check.message} [${check.code}]`, `  ${check.remedy}`]
  const { deployment, seconds, reply } = check
  const [choice] = reply.choices
  const { usage } = reply
  return [
    `${deployment}: answered in ${seconds.toFixed(2)} s`,
    `  text    ${JSON.stringify(choice?.text ?? '')}`,
    `  finish  ${choice?.finishReason ?? 'not told'}`,
    `  model   ${reply.model ?? 'not told'}`,
    `  tokens  ${usage === undefined ? 'not told' : `${usage.inputTokens} in, ${usage.outputTokens} out`}`,
  ]
}
