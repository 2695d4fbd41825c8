import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'

/**
 * The letter and printed prefix of the reference at `index`: the first letter or digit of `reference_prefix` counts on
 * from there by code point, or through `reference_prefix_characters` (HELM.md T7).
 */
export const letterPrefix = (
  { referencePrefix, referencePrefixCharacters }: AdapterSpec,
  index: number,
): { readonly letter: string; readonly prefix: string } => {
  const first = /[\p{L}\p{N}]/u.exec(referencePrefix)?.[0] ?? 'A'
  const letter =
    referencePrefixCharacters === undefined
      ? String.fromCodePoint((first.codePointAt(0) ?? 65) + index)
      : (Array.from(referencePrefixCharacters)[index] ?? first)
  return { letter, prefix: referencePrefix.split(first).join(letter) }
}
