import { resolve } from 'node:path'
import { HELM_CLASS } from '../../../models/local/settings.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { listFlag } from '../flags.ts'
import type { FlagValues } from '../verb.ts'

const HUB_FLAG = '--enable-huggingface-models'
const LOCAL_FLAG = '--enable-local-huggingface-models'

/**
 * Models that HELM's flags name, under HELM's names for them: a repository as it is written, `ns/name[@revision]`, a
 * folder as `huggingface/<its last part>` (HELM.md F1).
 */
export const huggingFaceModels = (flags: FlagValues, cwd: string): readonly ModelDeployment[] => [
  ...(listFlag(flags, 'enableHuggingfaceModels') ?? []).map((name) => deploymentOf(name, name, HUB_FLAG)),
  ...(listFlag(flags, 'enableLocalHuggingfaceModels') ?? []).map((path) => {
    const folder = resolve(cwd, path)
    return deploymentOf(`huggingface/${folder.split(/[\\/]/).at(-1) ?? ''}`, folder, LOCAL_FLAG)
  }),
]

const deploymentOf = (name: string, model: string, flag: string): ModelDeployment => ({
  name,
  modelName: name,
  tokenizerName: name,
  client: { className: HELM_CLASS, args: { pretrained_model_name_or_path: model } },
  deprecated: false,
  limits: {},
  file: flag,
})
