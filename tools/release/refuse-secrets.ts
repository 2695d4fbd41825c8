import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { isMapping } from '../../cache/values/json.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import { clientPlace, type ModelDeployment } from '../../models/deployment/model.ts'

/** `api_key`, `accessToken`, `password`; not `stop_token` and its like. */
const SECRET =
  /(?:api|access|auth|client|private|secret|session)[_-]?(?:key|token)$|(?:^|[_-])(?:bearer|passw(?:or)?d|secret|authorization|credentials?)$|^token$/i

/**
 * A release tells what a request's body and a client of the workspace are given: it is part of every key.
 * @throws ProblemError `release/secret` for arguments that are called as secrets are
 */
export const refuseSecrets = (deployments: Iterable<ModelDeployment>): void => {
  const problems = [...deployments].flatMap((deployment) =>
    secretsIn(identityOf(deployment).arguments).map((path): Problem => {
      const field = path.join('.')
      return {
        code: 'release/secret',
        message: `a release would tell the argument ${field} of ${deployment.name}, which is called as a secret is`,
        where: clientPlace(deployment, 'args', ...path),
        remedy:
          'Give it in `headers`, to own code by the environment, and run again; if anybody may read it, rename it.',
      }
    }),
  )
  if (problems.length > 0) throw new ProblemError(problems)
}

const secretsIn = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => {
  if (isMapping(value))
    return Object.entries(value).flatMap(([name, each]) => secretsIn(each, [...path, name]))
  if (Array.isArray(value)) return value.flatMap((each: unknown) => secretsIn(each, path))
  return typeof value === 'string' && value !== '' && SECRET.test(path.at(-1) ?? '') ? [path] : []
}
