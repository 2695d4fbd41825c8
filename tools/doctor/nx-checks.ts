import { join } from 'node:path'
import { readFile } from '../../cache/files/read.ts'
import { parseJson } from '../../benchmarks/sources/parse-json.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { fine, note, trouble, type DoctorCheck } from './check.ts'

/** Nx sends nothing anywhere only where it is told so. */
export const nxChecks = async (
  workspace: string,
  env: NodeJS.ProcessEnv,
): Promise<readonly DoctorCheck[]> => {
  const file = join(workspace, 'nx.json')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return [fine('nx', 'not used here')]
  return [...settings(text, file), ...variables(env)]
}

const settings = (text: string, file: string): readonly DoctorCheck[] => {
  const value = valueOf(text, file)
  if (value === undefined) return [trouble('nx', 'nx.json is no JSON object', 'Mend nx.json.')]
  const wrong = [
    ...(value.get('neverConnectToCloud') === true ? [] : ['"neverConnectToCloud": true']),
    ...(value.get('analytics') === false ? [] : ['"analytics": false']),
  ]
  const cloud = ['nxCloudId', 'nxCloudAccessToken'].filter((key) => value.has(key))
  return [
    wrong.length === 0
      ? fine('nx', 'Nx Cloud and telemetry are off in nx.json')
      : trouble(
          'nx',
          'nx.json does not turn off Nx Cloud and telemetry',
          `Add ${wrong.join(' and ')} to nx.json.`,
        ),
    ...cloud.map((key) => trouble('nx', `nx.json holds ${key}`, `Remove ${key} from nx.json.`)),
  ]
}

const valueOf = (text: string, file: string): ReadonlyMap<unknown, unknown> | undefined => {
  try {
    const value = parseJson(text, file)
    return value instanceof Map ? value : undefined
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** Another company's servers are no place for what stands in a task's output. */
const CLOUD = ['NX_CLOUD_ACCESS_TOKEN', 'NX_CLOUD_AUTH_TOKEN'] as const

/** One's own: digests of results and names of runs go there, results and texts do not. */
const OWN_CACHE = 'NX_SELF_HOSTED_REMOTE_CACHE_SERVER'

const variables = (env: NodeJS.ProcessEnv): readonly DoctorCheck[] => [
  ...CLOUD.filter((name) => env[name]).map((name) =>
    trouble('nx', `${name} connects Nx to Nx Cloud`, `Unset ${name}.`),
  ),
  ...(env[OWN_CACHE]
    ? [
        note(
          'nx',
          `${OWN_CACHE} connects Nx to a remote cache, which holds digests of results and not the results`,
          'To share these, too, name a place in medmake.yaml: store: { tier: /project/evals }.',
        ),
      ]
    : []),
]
