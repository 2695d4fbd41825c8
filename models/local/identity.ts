import type { ModelDeployment } from '../deployment/model.ts'
import { HELM_CLASS, localSettings, modelStringOf } from './settings.ts'

/**
 * What of a local model can alter its answers. Device and threads are not in it, as no server tells its own: they
 * change the last bits of a logit, which only a near tie would show.
 */
export type LocalIdentity = {
  /** Raised when the same weights would answer otherwise. */
  readonly generator: '1'
  /** Digest of the model's files; null until they were looked for. */
  readonly weights: string | null
  /** Whether the chat template is used; null: wherever there is one. */
  readonly template: boolean | null
  readonly logprobs: string
  readonly asHelm: boolean
}

/** @throws ProblemError `models/local-args` */
export const localIdentity = (
  deployment: ModelDeployment,
): {
  readonly modelString: string
  readonly protocol: 'local'
  readonly local: LocalIdentity
} => {
  const settings = localSettings(deployment)
  return {
    modelString: modelStringOf(settings),
    protocol: 'local',
    local: {
      generator: '1',
      weights: deployment.weights?.digest ?? null,
      template: settings.applyChatTemplate ?? null,
      logprobs: settings.logprobs,
      asHelm: settings.asHelm,
    },
  }
}

/** A deployment's parts that give this identity, for a model whose files are not here. */
export const fromLocalIdentity = (
  modelString: string,
  { weights, template, logprobs, asHelm }: LocalIdentity,
): Pick<ModelDeployment, 'client' | 'weights'> => ({
  client: {
    className: asHelm ? HELM_CLASS : 'medmake.local',
    args: {
      ...(asHelm
        ? { pretrained_model_name_or_path: modelString }
        : { model: modelString, logprobs: logprobs !== 'none' }),
      ...(template === null ? {} : { apply_chat_template: template }),
    },
  },
  ...(weights === null ? {} : { weights: { digest: weights, files: { folder: '', model: '', all: [] } } }),
})
