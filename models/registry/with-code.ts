import { readFile } from '../../cache/plain-file.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { codeDigest } from '../../cache/user-code/code-digest.ts'
import { clientFile, clientName } from '../clients/code/client-file.ts'
import type { ModelDeployment } from '../deployment/model.ts'

/** Deployments of the workspace's own clients with the digest of their code; the others as they are. */
export const withCode = (
  deployments: readonly ModelDeployment[],
  workspace: string,
): Promise<readonly ModelDeployment[]> =>
  Promise.all(
    deployments.map(async (deployment) => {
      const name = clientName(deployment.client.className)
      const file = name === undefined ? undefined : clientFile(workspace, name)
      if (file === undefined) return deployment
      const digest = await codeDigest(file, async (path) => digestOf<'file'>(await readFile(path)))
      return { ...deployment, code: { file, digest } }
    }),
  )
