import { alignedTable, tabulated, type TextColumns } from '../../../cache/words/tables.ts'
import { suggestion } from '../../../cache/problems/did-you-mean.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { textArgument } from '../../../models/clients/chat/server-of.ts'
import { clientName } from '../../../models/clients/code/client-file.ts'
import { identityOf, isRemote } from '../../../models/clients/create-client.ts'
import { priceOf, type Price } from '../../../models/prices/price.ts'
import { readCredentials, type Credentials } from '../../../models/deployment/credentials.ts'
import { loadRegistry } from '../../../models/registry/load.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { badFlag, boolFlag, flagNamed } from '../flags.ts'
import type { Action } from '../verb.ts'
import { checkModels } from './check-models.ts'
import { localPathOf } from '../common/session-flags.ts'
import { formatProblems } from '../output/print-problems.ts'

interface Row {
  readonly deployment: string
  readonly model: string
  readonly reach: string
  readonly context: number | null
  readonly key: string
  /** US dollars per million tokens; null where nobody told them. */
  readonly price: Price | null
  readonly file: string
}

/** `medmake models [names…]`, `medmake models check NAME…`. */
export const modelsAction: Action = async (invocation) =>
  invocation.args[0] === 'check' ? checkModels(invocation.args.slice(1), invocation) : listModels(invocation)

/** What can be asked, and at what price. No network is touched. */
const listModels: Action = async ({ args, flags, cwd, env, print, warn }) => {
  for (const name of ['mirror', 'store', 'maxUsd'])
    if (flags[name] !== undefined)
      throw badFlag(flagNamed(name), `${flagNamed(name)} is of medmake models check`, 'Leave it out.')
  const workspace = await findWorkspace(cwd)
  const localPath = localPathOf(flags, cwd, workspace)
  const [registry, credentials] = await Promise.all([
    loadRegistry({ workspace: workspace.root, localPath }),
    readCredentials(localPath, env),
  ])
  const listed = registry.deployments.filter(
    ({ name }) => args.length === 0 || args.some((part) => name.includes(part)),
  )
  const rows = listed.map((deployment) => rowOf(deployment, registry, credentials))
  if (rows.length === 0 && args.length > 0)
    throw noModel(
      args,
      registry.deployments.map(({ name }) => name),
    )
  if (boolFlag(flags, 'json')) print(JSON.stringify({ deployments: rows }))
  else print(alignedTable(...tabulated(COLUMNS, rows), 'left'))
  // HELM's own files declare hundreds that are not reached here: of these only what is asked for says why.
  for (const deployment of listed) {
    const cause =
      args.length > 0 || clientName(deployment.client.className) !== undefined ? reachOf(deployment) : ''
    if (typeof cause !== 'string') warn(formatProblems(cause.problems, false))
  }
  for (const line of strayPrices(registry)) warn(line)
  return EXIT.done
}

const noModel = (parts: readonly string[], names: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'models/unknown-name',
    message: `no deployment's name holds ${parts.join(' or ')}`,
    remedy: `${suggestion(parts[0] ?? '', ['check', ...names])}\`medmake models\` lists all.`,
  })

const rowOf = (deployment: ModelDeployment, { prices }: ModelRegistry, credentials: Credentials): Row => {
  const reach = reachOf(deployment)
  const isReached = typeof reach === 'string'
  return {
    deployment: deployment.name,
    model: deployment.modelName,
    reach: isReached ? reach : 'not reached',
    context: deployment.maxRequestLength ?? deployment.maxSequenceLength ?? null,
    key: isReached ? keyState(deployment, credentials) : '–',
    price: priceOf(prices, deployment.name) ?? null,
    file: deployment.file,
  }
}

/** No fault: one list of prices may serve several workspaces. But a misspelt name would price nothing. */
const strayPrices = (registry: ModelRegistry): readonly string[] =>
  [...registry.prices.values()]
    .filter(({ deployment }) => registry.deployment(deployment) === undefined)
    .map(
      ({ deployment, file }) =>
        `${file}: a price of ${deployment}, which is not declared. ` +
        suggestion(
          deployment,
          registry.deployments.map(({ name }) => name),
        ),
    )

/** By which interface, or why by none. */
const reachOf = (deployment: ModelDeployment): string | ProblemError => {
  try {
    const { protocol, form } = identityOf(deployment)
    return form ?? protocol
  } catch (error) {
    if (error instanceof ProblemError) return error
    throw error
  }
}

/** Never the key itself. */
const keyState = (deployment: ModelDeployment, credentials: Credentials): string => {
  if (!isRemote(deployment)) return 'not needed'
  if (textArgument(deployment.client.args, 'api_key') !== undefined) return 'in the file'
  return credentials.lookup(deployment.name, 'ApiKey') === undefined ? 'none' : 'present'
}

const COLUMNS: TextColumns<Row> = [
  ['deployment', ({ deployment }) => deployment],
  ['model', ({ model }) => model],
  ['reached by', ({ reach }) => reach],
  ['context', ({ context }) => context?.toString() ?? '–'],
  ['key', ({ key }) => key],
  ['$ in / out per M', ({ price }) => (price === null ? 'unknown' : `${price.input} / ${price.output}`)],
  ['as of', ({ price }) => price?.date ?? '–'],
  ['declared in', ({ file }) => file],
]
