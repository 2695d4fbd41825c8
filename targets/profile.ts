/** The dialects in which replies and judges' scores are read, the default first; part of the identity of every run. */
export const PROFILES = ['helm-0.5.16', 'medhelm-0.8', 'paper-2025'] as const

export type Profile = (typeof PROFILES)[number]

export const DEFAULT_PROFILE: Profile = 'helm-0.5.16'

/** What sets a profile apart. No request depends on any of it but the protocol. */
export interface Dialect {
  /** Version of the benchmarks' protocols; a benchmark that lacks it uses its first one. */
  readonly protocol: 'helm-0.5.16' | 'medhelm-0.8'
  /** Names the reading of judges' replies, and its version: raised when a reply is read differently. */
  readonly parser: string
  /** What must be in a judge's reply: the criteria only, or each with all its keys. */
  readonly required: 'criteria' | 'criteria-and-keys'
  /** Python's function that makes a judge's score a number. */
  readonly scores: 'int' | 'float'
  /** An instance's jury score below this is raised to it. */
  readonly leastScore?: number
  /** Replies are cut to `max_tokens` of the deployment's tokenizer, and their tokens are shown. */
  readonly retokenizes: boolean
  /** Whether a chat's tokens are those of its messages; else those of its prompt, which is empty. */
  readonly countsChats: boolean
}

const HELM: Dialect = {
  protocol: 'helm-0.5.16',
  parser: 'helm-0.5.16/1',
  required: 'criteria-and-keys',
  scores: 'int',
  retokenizes: false,
  countsChats: true,
}

const DIALECTS: Readonly<Record<Profile, Dialect>> = {
  'helm-0.5.16': HELM,
  // HELM.md T10
  'medhelm-0.8': {
    protocol: 'medhelm-0.8',
    parser: 'medhelm-0.8/1',
    required: 'criteria',
    scores: 'float',
    retokenizes: true,
    countsChats: false,
  },
  'paper-2025': { ...HELM, leastScore: 1 },
}

export const dialectOf = (profile: Profile): Dialect => DIALECTS[profile]
