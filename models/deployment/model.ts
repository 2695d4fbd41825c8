import type { Place, ProblemError } from '../../cache/problems/problem.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { TokenizerFiles } from '../tokenizers/tokenizer.ts'
import type { DeclaredAgreement } from '../agreement/data-agreement.ts'

/** The files of a model's folder that are read. */
export interface ModelFiles {
  readonly folder: string
  /** ONNX file, below the folder with `/`. */
  readonly model: string
  /** All, the ONNX file and its external data among them, sorted. */
  readonly all: readonly string[]
}

/** A model as model_metadata.yaml describes it (HELM.md M1). */
export interface ModelMetadata {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly creatorOrganization: string
  readonly access: 'open' | 'limited' | 'closed'
  /** ISO date. */
  readonly releaseDate?: string
  readonly tags: readonly string[]
  readonly numParameters?: number
}

/** What a deployment allows at a time; undefined means no such limit. */
export interface DeploymentLimits {
  readonly concurrency?: number
  readonly requestsPerMinute?: number
  readonly tokensPerMinute?: number
  /** Each machine has a server of its own: tasks on several machines do not share these limits. */
  readonly perMachine?: boolean
}

/** The files of a local model as they lie on this machine. */
interface Weights {
  /** sha256 over the names and digests of all files that are read. */
  readonly digest: string
  readonly files: ModelFiles
}

/** A way to reach a model, as model_deployments.yaml describes it (HELM.md M1). */
export interface ModelDeployment {
  readonly name: string
  readonly modelName: string
  readonly tokenizerName?: string
  /** Files of a tokenizer that is not built in, where they are on this machine. */
  readonly tokenizerFiles?: TokenizerFiles
  readonly client: { readonly className: string; readonly args: Readonly<Record<string, unknown>> }
  readonly maxSequenceLength?: number
  /** Defaults to maxSequenceLength. */
  readonly maxRequestLength?: number
  /** HELM's class that cuts long prompts, where it cuts otherwise than ours. */
  readonly windowService?: string
  readonly deprecated: boolean
  readonly limits: DeploymentLimits
  /** Absent where no reviewed file declares one. */
  readonly agreement?: DeclaredAgreement
  /** Of local models, once their files were looked for: nothing else tells which model it is. */
  readonly weights?: Weights
  /** Of a client of the workspace's own: its file, and the digest of that with all that it imports. */
  readonly code?: { readonly file: string; readonly digest: Digest<'code'> }
  /** Why there is no such code. */
  readonly codeFault?: ProblemError
  /** File that declares it: an input of the Nx target. */
  readonly file: string
  /** Line and column of what stands there below it; absent of one that no file declares. Read anew, so for faults alone. */
  readonly placeOf?: (path: readonly string[]) => Place
}

/** Place of a part of a deployment's `client_spec`, for a problem. */
export const clientPlace = (
  { file, placeOf }: Pick<ModelDeployment, 'file' | 'placeOf'>,
  ...path: readonly string[]
): Place => ({
  ...placeOf?.(['client_spec', ...path]),
  file,
  field: ['client_spec', ...path].join('.'),
})
