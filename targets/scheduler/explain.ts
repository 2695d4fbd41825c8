import type { Access } from '../../benchmarks/scenario/benchmark.ts'
import { defined } from '../../cache/values/defined.ts'
import { isMapping, type Json, type JsonObject } from '../../cache/values/json.ts'
import { STAGES, type StageName } from '../event.ts'
import { withoutSecrets } from '../../models/deployment/secret-fields.ts'
import { hiddenTexts, withoutTexts } from '../access/discreet-texts.ts'

/** A field of a target's key that changed since the last build. */
export interface Difference {
  /** Stage and field, e.g. `completions.temperature`. */
  readonly path: string
  /** Undefined where the field is new or gone. */
  readonly before?: Json
  readonly after?: Json
}

/** Every field in which two keys differ, its texts but those that are called as secrets are, in the order of the newer one; stages come in the order in which they run. */
export const differences = (before: JsonObject, after: JsonObject): readonly Difference[] =>
  compare(before, after, '')

const compare = (before: Json | undefined, after: Json | undefined, path: string): readonly Difference[] => {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (isMapping(before) && isMapping(after)) {
    const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])]
    return keys.flatMap((key) => compare(before[key], after[key], path === '' ? key : `${path}.${key}`))
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.flatMap((value, index) => compare(before[index] as Json, value as Json, `${path}[${index}]`))
  const shown = (value: Json | undefined): Json | undefined =>
    value === undefined ? value : withoutSecrets(value, path.replace(/(?:\[\d+\])+$/, ''))
  return [defined({ path, before: shown(before), after: shown(after) })]
}

/** The difference for which a stage's results are missed: its own, or the nearest stage's before it. */
export const causeOfMiss = (stage: StageName, changes: readonly Difference[]): Difference | undefined => {
  // What follows from another profile or correction stands in many fields.
  const wide = changes.find(({ path }) => path === 'profile' || path.startsWith('errata'))
  if (wide !== undefined) return wide
  const upTo = STAGES.slice(0, STAGES.indexOf(stage) + 1).toReversed()
  for (const each of upTo) {
    const own = changes.find(
      ({ path }) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`),
    )
    if (own !== undefined) return own
  }
  return changes.find(({ path }) => path.startsWith('sampling')) ?? changes[0]
}

/** Where keys repeat texts of a declaration: arguments, tokens, instructions with examples in them. */
const TEXTS = /^(?:instances|prompts)\b/

/** The differences without the texts of a gated or private benchmark. Digests stay. */
export const discreetDifferences = (changes: readonly Difference[], access: Access): readonly Difference[] =>
  access === 'public'
    ? changes
    : changes.map(({ path, before, after }) => {
        const shown = (value: Json): Json =>
          TEXTS.test(path) ? hiddenTexts(value) : withoutTexts(value, path)
        return {
          path,
          ...(before === undefined ? {} : { before: shown(before) }),
          ...(after === undefined ? {} : { after: shown(after) }),
        }
      })
