import { join } from 'node:path'
import { exists } from '../../cache/files/read.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { isMapping } from '../../cache/values/json.ts'
import { parseHocon, readHocon } from '../config/hocon.ts'

/** Where the keys come from: HELM's credentials.conf and the environment. Values never leave this module but to a client. */
export interface Credentials {
  /** A per-host value such as `ApiKey`, `BaseUrl`, `OrgId`, `Endpoint` for a deployment (HELM.md M2). */
  lookup(deployment: string, what: CredentialKind): string | undefined
}

export type CredentialKind = 'ApiKey' | 'OrgId' | 'BaseUrl' | 'Endpoint'

/**
 * Reads `<localPath>/credentials.conf`, or the whole text from HELM_CREDENTIALS, which wins.
 * A key is looked up as `<host>ApiKey`, then in the map `deployments`, then as environment variable `<HOST>_API_KEY`;
 * host is the first part of the deployment's name. An empty one is none, as CI gives where it has no such secret.
 *
 * @throws ProblemError `config/hocon`
 */
export const readCredentials = async (localPath: string, env: NodeJS.ProcessEnv): Promise<Credentials> => {
  const document = await readDocument(localPath, env)
  const deployments = isMapping(document['deployments']) ? document['deployments'] : {}
  return {
    lookup: (deployment, what) => {
      const { field, variable } = hostKey(deployment, what)
      const own = textOf(document[field])
      if (own !== undefined) return own
      const byName = what === 'ApiKey' ? textOf(deployments[deployment]) : undefined
      return byName ?? textOf(env[variable])
    },
  }
}

/** Where a deployment's value is looked for: `openai/gpt-4o` + `ApiKey` → `openaiApiKey` and `OPENAI_API_KEY`. */
export const hostKey = (
  deployment: string,
  what: CredentialKind = 'ApiKey',
): { readonly field: string; readonly variable: string } => {
  const host = deployment.split('/')[0] ?? deployment
  const words = [host.replaceAll(/[^A-Za-z0-9]/g, '_'), what.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')]
  return { field: `${host}${what}`, variable: words.join('_').toUpperCase() }
}

const readDocument = async (
  localPath: string,
  env: NodeJS.ProcessEnv,
): Promise<Readonly<Record<string, unknown>>> => {
  const text = env['HELM_CREDENTIALS']
  if (text) return record(await parseHocon(text, 'HELM_CREDENTIALS').catch(withoutQuotes))
  const file = join(localPath, 'credentials.conf')
  return (await exists(file)) ? record(await readHocon(file).catch(withoutQuotes)) : {}
}

/** The parser's words may quote a key: only the place is passed on. */
const withoutQuotes = (error: unknown): never => {
  if (!(error instanceof ProblemError)) throw error
  throw new ProblemError(
    error.problems.map((problem) =>
      problem.code === 'config/hocon' ? { ...problem, message: 'these credentials are no HOCON' } : problem,
    ),
  )
}

const record = (value: unknown): Readonly<Record<string, unknown>> => (isMapping(value) ? value : {})
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined
