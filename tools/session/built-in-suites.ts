import { join } from 'node:path'
import { packageRoot } from '../../cache/package-root.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { readRunEntries, type EntryMemory, type RunEntry } from '../../targets/entries/run-entry.ts'
import type { Profile } from '../../targets/profile.ts'

const PARTS = ['public', 'gated', 'private'] as const
type Part = (typeof PARTS)[number]

interface Line {
  readonly profile: Profile
  /** Benchmarks that it lacks. */
  readonly without: readonly string[]
  /** Files of what it has beside the others, by part. */
  readonly more?: Readonly<Partial<Record<Part, string>>>
}

/** MedHELM's lines that are built in. */
const LINES: Readonly<Record<string, Line>> = {
  'medhelm-0.5.16': { profile: 'helm-0.5.16', without: [] },
  'medhelm-0.8': {
    profile: 'medhelm-0.8',
    without: [],
    more: { public: 'public-0.8', private: 'private-0.8' },
  },
  // The paper's 35 columns; these two came to MedHELM later.
  'medhelm-paper': { profile: 'paper-2025', without: ['medhelm_med_qa', 'medhelm_med_mcqa'] },
}

/** Tokens of an answer of models that reason before it, as MedHELM's own entries for them have it. */
const REASONING = 'num_output_tokens=4000'

/** Names of the built-in suites, without `-reasoning` behind each. */
export const BUILT_IN_SUITES: readonly string[] = Object.keys(LINES).flatMap((line) => [
  line,
  ...PARTS.map((part) => `${line}-${part}`),
])

interface BuiltInSuite extends Line {
  readonly parts: readonly Part[]
  readonly reasoning: boolean
}

const builtInSuite = (name: string): BuiltInSuite | undefined => {
  const bare = name.replace(/-reasoning$/, '')
  if (!BUILT_IN_SUITES.includes(bare)) return undefined
  const part = PARTS.find((each) => bare.endsWith(`-${each}`))
  const line = LINES[part === undefined ? bare : bare.slice(0, -part.length - 1)]
  return line && { ...line, parts: part === undefined ? PARTS : [part], reasoning: bare !== name }
}

/** Entries of a built-in suite, one a benchmark and argument; models come by `--models-to-run`. Undefined: there is none. */
export const readBuiltInSuite = async (
  name: string,
  memory?: EntryMemory,
): Promise<readonly RunEntry[] | undefined> => {
  const suite = builtInSuite(name)
  if (suite === undefined) return undefined
  const entries: RunEntry[] = []
  for (const file of suite.parts.flatMap((part) => [part, suite.more?.[part] ?? []].flat()))
    entries.push(...(await readRunEntries(join(packageRoot(), 'targets/suites', `${file}.conf`), memory)))
  return entries
    .filter(({ description }) => !suite.without.some((benchmark) => description.startsWith(`${benchmark}:`)))
    .map((entry) => (suite.reasoning ? { ...entry, description: withReasoning(entry.description) } : entry))
}

const withReasoning = (description: string): string => description.replace(':', `:${REASONING},`)

/**
 * The profile that built-in suites score in; undefined where none is among the names.
 * @throws ProblemError `targets/two-profiles`
 */
export const profileOfSuites = (names: readonly string[]): Profile | undefined => {
  const [first, ...others] = names.flatMap((name) => {
    const profile = builtInSuite(name)?.profile
    return profile === undefined ? [] : [{ name, profile }]
  })
  const other = others.find(({ profile }) => profile !== first?.profile)
  if (first === undefined || other === undefined) return first?.profile
  throw new ProblemError({
    code: 'targets/two-profiles',
    message: `${first.name} scores in the profile ${first.profile}, ${other.name} in ${other.profile}`,
    remedy: 'Name them in two runs: replies that are the same are asked for once.',
  })
}
