import type { Store } from '../../../cache/store.ts'

/** In the open: that replies were taken in of a benchmark by this name. */
const told = (benchmark: string): string => `undeclared:${benchmark}`
/** In the vault: which. Digests could be guessed. */
const which = (benchmark: string): string => `imported:${benchmark}`

/**
 * Replies of a benchmark that nothing declares lie in the vault. Notes which, so that a run looks for them there should it
 * be declared as public.
 *
 * @param store as a private benchmark sees it
 */
export const noteUndeclared = async (
  benchmark: string,
  completions: ReadonlySet<string>,
  store: Store,
): Promise<void> => {
  const before = (store.get('files', which(benchmark)) ?? []) as readonly string[]
  await store.put('files', which(benchmark), [...new Set([...before, ...completions])])
  await store.put('files', told(benchmark), true)
}

/**
 * The completions that were noted; none where no import came before the declaration.
 * @throws ProblemError of the vault, where it can't be read: a run without them would pay again
 */
export const undeclaredImports = async (
  benchmark: string,
  open: Store,
  vault: () => Promise<Store>,
): Promise<readonly string[]> =>
  open.has('files', told(benchmark))
    ? (((await vault()).get('files', which(benchmark)) ?? []) as readonly string[])
    : []

/** Once they are where the benchmark's access has them. */
export const forgetUndeclared = async (benchmark: string, open: Store, vault: Store): Promise<void> => {
  await vault.remove('files', which(benchmark))
  await open.remove('files', told(benchmark))
}
