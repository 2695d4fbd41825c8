import type { Store } from '../../../cache/store.ts'
import { digestOf } from '../../../cache/values/digest.ts'

/** In the open: that replies of a benchmark by this name were taken into the vault. */
const told = (benchmark: string): string => `undeclared:${benchmark}`
const PREFIX = 'imported:'
/** Where the replies lie: which, by the lists that hold them. Digests could be guessed. */
const which = (benchmark: string): string => `${PREFIX}${benchmark}`
/** A list for each import: one of all would be written anew with each of a hundred runs. */
const LIST = 'imported-list:'

const textsIn = (id: string, store: Store): readonly string[] =>
  (store.get('files', id) ?? []) as readonly string[]

/** Of earlier versions an entry is a completion itself. */
const listed = (id: string, store: Store): readonly string[] => [
  ...new Set(textsIn(id, store).flatMap((each) => (each.startsWith(LIST) ? textsIn(each, store) : [each]))),
]

/**
 * No ledger tells of which benchmark imported replies are. Notes it, so that they go along should its access change, or
 * should it be declared as public after the import.
 *
 * @param store as the benchmark sees it; what nothing declares is private
 */
export const noteImports = async (
  benchmark: string,
  completions: ReadonlySet<string>,
  store: Store,
  isPublic: boolean,
): Promise<void> => {
  const list = `${LIST}${digestOf([...completions].toSorted().join('\n'))}`
  await store.put('files', list, [...completions])
  await store.put('files', which(benchmark), [...new Set([...textsIn(which(benchmark), store), list])])
  if (!isPublic) await store.put('files', told(benchmark), true)
}

/**
 * The completions that were noted in the vault.
 * @throws ProblemError of the vault, where it can't be read: a run without them would pay again
 */
export const vaultImports = async (
  benchmark: string,
  open: Store,
  vault: () => Promise<Store>,
): Promise<readonly string[]> =>
  open.has('files', told(benchmark)) ? listed(which(benchmark), await vault()) : []

/** The completions that were noted in the open. */
export const openImports = (benchmark: string, open: Store): readonly string[] =>
  listed(which(benchmark), open)

/** Those that were noted in the open of other benchmarks than these. */
export const importsOfOthers = (benchmarks: ReadonlySet<string>, open: Store): readonly string[] =>
  [...open.entries('files')]
    .map(({ id }) => id)
    .filter((id) => id.startsWith(PREFIX) && !benchmarks.has(id.slice(PREFIX.length)))
    .flatMap((id) => listed(id, open))

/** Once they are where the benchmark's access has them. */
export const moveNote = async (
  benchmark: string,
  completions: readonly string[],
  { open, vault, isPublic }: { readonly open: Store; readonly vault: Store; readonly isPublic: boolean },
): Promise<void> => {
  const [from, to] = isPublic ? [vault, open] : [open, vault]
  await noteImports(benchmark, new Set(completions), to, true)
  for (const list of textsIn(which(benchmark), from).filter((each) => each.startsWith(LIST)))
    await from.remove('files', list)
  await from.remove('files', which(benchmark))
  if (isPublic) await open.remove('files', told(benchmark))
  else await open.put('files', told(benchmark), true)
}
