import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { callRemedy } from '../../../models/clients/call-error.ts'
import { ClientError, type Reply } from '../../../models/calls/client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { checkCall } from '../../../targets/spend/paid-attempt.ts'
import type { Session } from '../../session/session.ts'
import { exitOfSignal } from '../../session/stopper.ts'
import { boolFlag, missingArgument } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'

type Check =
  | { readonly deployment: string; readonly seconds: number; readonly reply: Reply }
  | { readonly deployment: string; readonly code: string; readonly message: string; readonly remedy: string }

/** `medmake models check NAME…`: one small call each; what it costs is in the ledger. Exits with 1 where one gave no answer. */
export const checkModels = async (names: readonly string[], invocation: Invocation): Promise<ExitCode> => {
  const { flags, print } = invocation
  return withSession(invocation, { stopsItself: true }, async (session, stopper) => {
    const deployments = names.map((name) => deploymentOf(name, session))
    if (deployments.length === 0)
      throw missingArgument(
        'nothing says which deployment to check',
        'Name one or several: medmake models check local/llama.',
      )
    const checks: Check[] = []
    for (const deployment of deployments) {
      const check = await checkOnce(deployment, session)
      // A cap was reached: no further call is made, and the session tells why.
      if (session.env.stop.aborted) break
      checks.push(check)
      if (!boolFlag(flags, 'json')) for (const line of linesOf(check)) print(line)
    }
    if (boolFlag(flags, 'json')) print(JSON.stringify({ checks }))
    const all = checks.length === names.length && checks.every((check) => 'reply' in check)
    return exitOfSignal(stopper) ?? (all ? EXIT.done : EXIT.incomplete)
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

const checkOnce = async (deployment: ModelDeployment, { env, locateModel }: Session): Promise<Check> => {
  try {
    const client = await env.client((await locateModel?.(deployment)) ?? deployment)
    const started = performance.now()
    const reply = await checkCall(deployment, client, { ...env, store: env.records })
    return { deployment: deployment.name, seconds: (performance.now() - started) / 1000, reply }
  } catch (error) {
    if (error instanceof ClientError)
      return {
        deployment: deployment.name,
        code: error.code,
        message: error.message,
        remedy: callRemedy(error, deployment),
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
