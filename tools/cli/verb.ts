import type { ExitCode } from '../../cache/problems/problem.ts'

/** A flag of a verb, as commander takes it. */
export interface Flag {
  /** `-o, --output-path <folder>`; `<…>` takes a value, `<…...>` one or more. */
  readonly flags: string
  readonly description: string
  /** Shown in the help; the action applies it, so that medmake.yaml can come in between. */
  readonly shownDefault?: string
  /** Kept for HELM's users; not listed. */
  readonly hidden?: boolean
}

/** Parsed flags by their camelCase names: true, one text, or several. */
export type FlagValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

export interface Invocation {
  readonly args: readonly string[]
  readonly flags: FlagValues
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
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
  readonly flags: readonly Flag[]
  /** Commands that work as they stand. */
  readonly examples: readonly string[]
  readonly load: () => Promise<Action>
}
