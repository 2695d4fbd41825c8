import { digestOf } from '../../../cache/values/digest.ts'

const LONGEST = 60

/**
 * A name for files and addresses, the same for the same parts: readable letters and the start of a sha256,
 * since run names hold characters that addresses and some file systems do not take, and may be longer than those allow.
 */
export const fileId = (...parts: readonly string[]): string => {
  const readable = parts
    .join('-')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^[.-]+|[.-]+$/g, '')
  return `${readable}-${digestOf<'text'>(parts.join('\u0000')).slice(0, 8)}`
}
