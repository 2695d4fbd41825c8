import { ProblemError } from '../../../cache/problems/problem.ts'
import type { ModelDeployment } from '../../deployment/model.ts'
import { textArgument } from '../chat/base-url.ts'

/** Model string of a deployment of the workspace's own client. */
export const codeModel = ({ client, name }: ModelDeployment): string =>
  textArgument(client.args, 'model') ?? name

/**
 * Where such a client sends requests: what the data agreements go by. @throws ProblemError `models/no-url`
 */
export const codeUrl = ({ client, name, file }: ModelDeployment): string => {
  const url = textArgument(client.args, 'base_url')
  if (url !== undefined && URL.canParse(url)) return url
  throw new ProblemError({
    code: 'models/no-url',
    message: url === undefined ? `deployment ${name} names no server` : `${url} is no URL`,
    where: { file, field: 'client_spec.args.base_url' },
    remedy: 'Add base_url to its args: data agreements and medmake doctor go by it.',
  })
}
