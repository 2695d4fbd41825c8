import type { Protocol } from '../declaration/schema.ts'
import type { PyValue } from '../python/value.ts'

/** The choices of every argument that has to be given, in all combinations. */
export const argumentChoices = (protocol: Protocol | undefined): readonly ReadonlyMap<string, PyValue>[] => {
  let found: readonly ReadonlyMap<string, PyValue>[] = [new Map()]
  for (const [name, argument] of Object.entries(protocol?.arguments ?? {})) {
    if (argument.default !== undefined || argument.choices === undefined) continue
    const values = Array.isArray(argument.choices) ? argument.choices : Object.keys(argument.choices)
    found = found.flatMap((args) => values.map((value) => new Map([...args, [name, value]])))
  }
  return found
}
