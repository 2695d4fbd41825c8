import { readFile } from '../../cache/files/plain-file.ts'
import { codeDigest } from '../../cache/user-code/code-digest.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { clientFile, clientName } from '../clients/code/client-file.ts'
import type { ModelDeployment } from '../deployment/model.ts'
import { findTokenizer, type TokenizerConfig, type TokenizerPlaces } from '../tokenizers/find-tokenizer.ts'
import { isBuiltIn } from '../tokenizers/tokenizer.ts'

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

/** Deployments with the files of their tokenizers, where those are on this machine. A config declared last wins. */
export const withTokenizers = async (
  deployments: readonly ModelDeployment[],
  configs: readonly TokenizerConfig[],
  places: TokenizerPlaces,
): Promise<readonly ModelDeployment[]> => {
  const byName = new Map(configs.map((config) => [config.name, config]))
  const names = new Set(deployments.map(({ tokenizerName }) => tokenizerName))
  const files = new Map(
    await Promise.all(
      [...names].map(async (name) => {
        const wanted = name !== undefined && !isBuiltIn(name)
        return [name, wanted ? await findTokenizer(name, byName.get(name), places) : undefined] as const
      }),
    ),
  )
  return deployments.map((deployment) => {
    const tokenizerFiles = files.get(deployment.tokenizerName)
    return tokenizerFiles === undefined ? deployment : { ...deployment, tokenizerFiles }
  })
}
