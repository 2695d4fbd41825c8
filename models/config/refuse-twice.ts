import { isDeepStrictEqual } from 'node:util'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'

/** A declaration and where it stands. */
export interface DeclaredName {
  readonly name: string
  /** Looked for only in a file that is refused. */
  readonly where: () => Place
  /** What it says; one that says the same again does no harm, and HELM's own files hold such. */
  readonly value: unknown
}

/**
 * A thing must not be declared in two ways: whichever held, the other would be read and believed.
 *
 * @param what `is declared twice`, as the message goes on behind the name
 * @throws ProblemError with that code, a problem for each later one
 */
export const refuseTwice = (
  declared: readonly DeclaredName[],
  { code, what, remedy }: { readonly code: string; readonly what: string; readonly remedy: string },
): void => {
  const seen = new Map<string, DeclaredName>()
  const problems = declared.flatMap((each) => {
    const { name, where } = each
    const first = seen.get(name)
    if (first === undefined) {
      seen.set(name, each)
      return []
    }
    if (isDeepStrictEqual(first.value, each.value)) return []
    const { file, line } = first.where()
    const place = [file, line].filter((part) => part !== undefined).join(':')
    return [{ code, message: `${name} ${what}, first at ${place}`, where: where(), remedy }]
  })
  if (problems.length > 0) throw new ProblemError(problems)
}
