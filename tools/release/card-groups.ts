import { groupBy } from '../../cache/lists.ts'
import { defined } from '../../cache/values/defined.ts'
import { type InstanceVector, SUB_SPLIT, type KnownGroups } from '../../targets/runs/instance-vector.ts'
import type { RunCard } from './run-card.ts'

type CardAttributes = NonNullable<RunCard['record']['attributes']>

/** What a record says of the groups of a run's instances; undefined where nothing is known of any. */
export const cardGroups = (
  { attributes, groups }: KnownGroups,
  { ids }: Pick<InstanceVector, 'ids'>,
): CardAttributes | undefined => {
  const isDeclared = attributes.some(({ name }) => name === SUB_SPLIT)
  const known = [...attributes, ...(isDeclared ? [] : [{ name: SUB_SPLIT, column: SUB_SPLIT }])]
  const found = known.flatMap(({ name, column, bands }) => {
    const members = groupBy(ids, (id) => groups.get(id)?.[name] || undefined)
    return members.size === 0 ? [] : [defined({ name, column, bands, groups: [...members] })]
  })
  return found.length === 0 ? undefined : found
}

/** The same as boards take it. */
export const knownGroups = (attributes: CardAttributes): KnownGroups => {
  const groups = new Map<string, Record<string, string>>()
  for (const { name, groups: members } of attributes)
    for (const [group, ids] of members)
      for (const id of ids) groups.set(id, { ...groups.get(id), [name]: group })
  return {
    attributes: attributes.map(({ name, column, bands }) => defined({ name, column, bands })),
    groups,
  }
}
