import { basename, join, resolve } from 'node:path'
import { packageRoot } from '../../cache/package-root.ts'
import { namesIn } from '../../cache/files/read.ts'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { readRunEntries, type EntryMemory, type RunEntry } from '../../targets/entries/run-entry.ts'
import type { Profile } from '../../targets/profile.ts'

const PARTS = ['public', 'gated', 'private'] as const
type Part = (typeof PARTS)[number]

interface Line {
  readonly profile: Profile
  /** Files of its parts. */
  readonly files: Readonly<Partial<Record<Part, readonly string[]>>>
  /** Benchmarks that it lacks. */
  readonly without?: readonly string[]
}

const ALL = { public: ['public'], gated: ['gated'], private: ['private'] }

/** MedHELM's lines that are built in, HealthBench as its authors score it, and what `npm start` runs. */
const LINES: Readonly<Record<string, Line>> = {
  'medhelm-0.5.16': { profile: 'helm-0.5.16', files: ALL },
  'medhelm-0.8': {
    profile: 'medhelm-0.8',
    files: {
      public: ['public', 'public-0.8', 'health-bench'],
      gated: ['gated'],
      private: ['private', 'private-0.8'],
    },
  },
  // The paper's 35 columns; these two came to MedHELM later.
  'medhelm-paper': { profile: 'paper-2025', files: ALL, without: ['medhelm_med_qa', 'medhelm_med_mcqa'] },
  'health-bench': { profile: 'helm-0.5.16', files: { public: ['health-bench'] } },
  demo: { profile: 'helm-0.5.16', files: { public: ['../demo'] } },
}

const partsOf = ({ files }: Line): readonly Part[] => PARTS.filter((part) => files[part] !== undefined)

/** Tokens of an answer of models that reason before it, as MedHELM's own entries for them have it. */
const REASONING = 'num_output_tokens=4000'

/** Names of the built-in suites, without `-reasoning` behind each. A line of one part is named once. */
export const BUILT_IN_SUITES: readonly string[] = Object.entries(LINES).flatMap(([name, line]) => {
  const parts = partsOf(line)
  return [name, ...(parts.length > 1 ? parts.map((part) => `${name}-${part}`) : [])]
})

interface BuiltInSuite extends Line {
  readonly parts: readonly Part[]
  readonly reasoning: boolean
}

const builtInSuite = (name: string): BuiltInSuite | undefined => {
  const bare = name.replace(/-reasoning$/, '')
  if (!BUILT_IN_SUITES.includes(bare)) return undefined
  const reasoning = bare !== name
  const whole = LINES[bare]
  if (whole !== undefined) return { ...whole, parts: partsOf(whole), reasoning }
  const part = PARTS.find((each) => bare.endsWith(`-${each}`))
  const line = part && LINES[bare.slice(0, -part.length - 1)]
  return line && { ...line, parts: [part], reasoning }
}

export const isBuiltIn = (name: string): boolean => builtInSuite(name) !== undefined

/** Entries of a built-in suite, one a benchmark and argument; models come by `--models-to-run`. Undefined: there is none. */
const readBuiltInSuite = async (
  name: string,
  memory?: EntryMemory,
): Promise<readonly RunEntry[] | undefined> => {
  const suite = builtInSuite(name)
  if (suite === undefined) return undefined
  const { files, without = [], parts, reasoning } = suite
  const entries: RunEntry[] = []
  for (const file of parts.flatMap((part) => files[part] ?? []))
    entries.push(...(await readRunEntries(join(packageRoot(), 'targets/suites', `${file}.conf`), memory)))
  return entries
    .filter(({ description }) => !without.some((benchmark) => description.startsWith(`${benchmark}:`)))
    .map((entry) =>
      reasoning ? { ...entry, description: entry.description.replace(':', `:${REASONING},`) } : entry,
    )
}

/** Suites of a workspace: every `targets/*.conf`, by file name. */
export const listSuites = async (root: string): Promise<ReadonlyMap<string, string>> => {
  const folder = join(root, 'targets')
  return new Map(
    namesIn(folder)
      .filter((name) => name.endsWith('.conf'))
      .sort()
      .map((name) => [basename(name, '.conf'), join(folder, name)]),
  )
}

/** @throws ProblemError `targets/unknown-suite` */
export const readSuite = async (
  root: string,
  suite: string,
  memory?: EntryMemory,
): Promise<readonly RunEntry[]> => {
  const suites = await listSuites(root)
  const file = suites.get(suite)
  if (file !== undefined) return readRunEntries(file, memory)
  const builtIn = await readBuiltInSuite(suite, memory)
  if (builtIn !== undefined) return builtIn
  throw new ProblemError({
    code: 'targets/unknown-suite',
    message: `there is no suite ${suite}`,
    where: { file: resolve(root, 'targets', `${suite}.conf`) },
    remedy: `${suggestion(suite, [...suites.keys(), ...BUILT_IN_SUITES])}${suites.size > 0 ? `Suites here: ${[...suites.keys()].join(', ')}.` : 'Write one to targets/, or run `medmake init` first.'} Built in: ${BUILT_IN_SUITES.join(', ')}.`,
  })
}

/**
 * The profile that built-in suites score in; undefined where none is among the names. A workspace's own suite of such a
 * name stands in its place.
 * @throws ProblemError `targets/two-profiles`
 */
export const profileOfSuites = async (
  names: readonly string[],
  root: string,
): Promise<Profile | undefined> => {
  const own = await listSuites(root)
  const [first, ...others] = names.flatMap((name) => {
    const profile = own.has(name) ? undefined : builtInSuite(name)?.profile
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
