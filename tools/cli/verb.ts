import type { ExitCode } from '../../cache/problems/problem.ts'

/**
 * Flags of a verb, as commander takes them (`-o, --output-path <folder>`; `<…>` takes a value, `<…...>` one or more),
 * each with what it does. A default is shown in the help; the action applies it, so that medmake.yaml can come in between.
 */
export type Flags = Readonly<Record<string, string | readonly [what: string, shownDefault: string]>>

/** Parsed flags by their camelCase names: true, one text, or several. */
export type FlagValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

export interface Invocation {
  readonly args: readonly string[]
  readonly flags: FlagValues
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Results go here, progress and problems to stderr. */
  readonly print: (text: string) => void
  readonly warn: (text: string) => void
  /** Takes the run entries that are left out and named; a verb that went without any ends incomplete. */
  readonly leftOut: string[]
  /** True for helm-run and its siblings: HELM's required flags are required. */
  readonly strictHelm: boolean
}

export type Action = (invocation: Invocation) => Promise<ExitCode>

/** One verb of the CLI. The action is imported when it is called: `--help` loads none. */
export interface Verb {
  readonly name: string
  readonly summary: string
  /** commander's arguments, e.g. `[suites...]`. */
  readonly args?: string
  /** What its first argument can be, each with what it does. */
  readonly commands?: Readonly<Record<string, string>>
  readonly flags: Flags
  /** Kept for HELM's users; not listed. */
  readonly hidden?: Flags
  /** Commands that work as they stand. */
  readonly examples: readonly string[]
  /** What the help of HELM's program of this verb tells otherwise. */
  readonly asHelm?: { readonly flags?: Flags; readonly example: string }
  readonly load: () => Promise<Action>
}
