import { findTokenizer, type TokenizerConfig, type TokenizerPlaces } from '../tokenizers/find-tokenizer.ts'
import { isBuiltIn } from '../tokenizers/tokenizer.ts'
import type { ModelDeployment } from '../deployment/model.ts'

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
