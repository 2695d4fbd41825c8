import { resolve } from 'node:path'
import { defined } from '../../../cache/values/defined.ts'
import type { FlagOptions } from '../../session/session.ts'
import {
  type Workspace,
  checkedMirror,
  checkedLocalPath,
  configuredLocalPath,
} from '../../session/workspace/workspace.ts'
import { boolFlag, countFlag, listFlag, choiceFlag, pathFlag, usdFlag, textFlag } from '../flags.ts'
import type { FlagValues, Invocation } from '../verb.ts'
import { PROFILES } from '../../../targets/profile.ts'
import { HELM_CLASS } from '../../../models/local/settings.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { openTier } from '../../../cache/tier/open-tier.ts'
import type { Tier } from '../../../cache/tier/tier.ts'

export const sessionFlags = (flags: FlagValues, cwd: string): FlagOptions => {
  const localPath = pathFlag({ flags, cwd }, 'localPath')
  const mirror = pathFlag({ flags, cwd }, 'mirror')
  return defined({
    storePath: pathFlag({ flags, cwd }, 'store'),
    concurrency: countFlag(flags, 'numThreads'),
    maxUsd: usdFlag(flags, 'maxUsd'),
    profile: choiceFlag(flags, 'profile', PROFILES),
    errata: choiceFlag(flags, 'errata', ['reproduced', 'corrected']),
    localPath: localPath && checkedLocalPath(localPath, LOCAL_PATH_FLAG),
    mirror: mirror && checkedMirror(mirror, '--mirror'),
    deployments: huggingFaceModels(flags, cwd),
    ...(boolFlag(flags, 'batch') ? { batch: true } : {}),
    ...(boolFlag(flags, 'skipBadRows') ? { skipBadRows: true } : {}),
  })
}

export const outputPathOf = (flags: FlagValues, cwd: string, workspace: Workspace): string =>
  pathFlag({ flags, cwd }, 'outputPath') ?? workspace.path(workspace.config.output_path)

/** Where a workspace keeps its own declarations of models, and keys. */
export const localPathOf = (flags: FlagValues, cwd: string, workspace: Workspace): string => {
  const named = pathFlag({ flags, cwd }, 'localPath')
  return named === undefined ? configuredLocalPath(workspace) : checkedLocalPath(named, LOCAL_PATH_FLAG)
}

const LOCAL_PATH_FLAG = '--local-path'

const HUB_FLAG = '--enable-huggingface-models'
const LOCAL_FLAG = '--enable-local-huggingface-models'

/**
 * Models that HELM's flags name, under HELM's names for them: a repository as it is written, `ns/name[@revision]`, a
 * folder as `huggingface/<its last part>` (HELM.md F1).
 */
const huggingFaceModels = (flags: FlagValues, cwd: string): readonly ModelDeployment[] => [
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

/** The tier that a flag or medmake.yaml names, as it was written; a folder as an absolute path. */
export const tierPlace = (
  { flags, cwd }: Pick<Invocation, 'flags' | 'cwd'>,
  { root, config }: Workspace,
): string | undefined => {
  const flag = textFlag(flags, 'tier')
  const place = flag ?? config.store.tier
  if (place === undefined || place.includes('://')) return place
  return resolve(flag === undefined ? root : cwd, place)
}

/** Undefined where none is named. @throws ProblemError `cache/no-tier`, `cache/tier` */
export const tierOf = async (
  invocation: Pick<Invocation, 'flags' | 'cwd' | 'env'>,
  workspace: Workspace,
): Promise<Tier | undefined> => {
  const place = tierPlace(invocation, workspace)
  return place === undefined ? undefined : openTier(place, workspace.root, invocation.env)
}
