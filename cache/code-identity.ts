/**
 * Version and code of the running program, put in by the build. Recorded beside results so that `explain` can say that
 * the code changed while the versions did not; part of no key.
 */
export const CODE = {
  version: process.env['MEDMAKE_VERSION'] ?? 'source',
  /** sha256 over all sources, its first 16 letters. */
  digest: process.env['MEDMAKE_CODE'] ?? 'source',
} as const
