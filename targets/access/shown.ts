import type { Access } from '../../benchmarks/scenario/benchmark.ts'

/**
 * Of gated and private benchmarks no text of any instance may be shown. `local`: read from files of another program,
 * which do not say; shown to whoever holds the files.
 */
export type BoardAccess = Access | 'local'

/** Whether the texts of a benchmark's instances may be shown. */
export const isShown = ({ access }: { readonly access: BoardAccess }): boolean =>
  access === 'public' || access === 'local'
