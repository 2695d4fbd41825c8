/** A model as model_metadata.yaml describes it (helm-core.md §1.7). */
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
}

/** A way to reach a model, as model_deployments.yaml describes it (helm-core.md §1.7). */
export interface ModelDeployment {
  readonly name: string
  readonly modelName: string
  readonly tokenizerName?: string
  readonly client: { readonly className: string; readonly args: Readonly<Record<string, unknown>> }
  readonly maxSequenceLength?: number
  /** Defaults to maxSequenceLength. */
  readonly maxRequestLength?: number
  readonly maxSequenceAndGeneratedTokensLength?: number
  readonly deprecated: boolean
  readonly limits: DeploymentLimits
  /** File that declares it: an input of the Nx target. */
  readonly file: string
}
