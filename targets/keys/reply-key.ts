import { identityOf } from '../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { dialectOf, type Profile } from '../profile.ts'

/**
 * Name, and digest of the files where it has any, of the tokenizer by which the profile cuts a deployment's replies;
 * undefined where it leaves them as they are: only clients of chat servers cut (HELM.md T10).
 */
export const cuttingTokenizer = (deployment: ModelDeployment, profile: Profile): string | undefined =>
  dialectOf(profile).retokenizes && identityOf(deployment).protocol === 'chat'
    ? [deployment.tokenizerName ?? '', deployment.tokenizerFiles?.digest ?? []].flat().join('@')
    : undefined
