import { Float, repr } from '../python/numbers/number.ts'
import { isDict, isList } from '../python/kinds.ts'
import type { PyValue } from '../python/value.ts'

/** One item of an instance's own rubric. */
export interface RubricItem {
  readonly criterion: string
  /** What meeting it is worth; below 0 for what an answer should not do. */
  readonly points: number
  /** The points as Python prints them, e.g. `5`, `0.1`, `-10`. */
  readonly pointsText: string
  readonly tags: readonly string[]
  /** With all its keys, as the data has it. */
  readonly raw: ReadonlyMap<string, PyValue>
}

/**
 * The items of a rubric as an instance's `extra_data` holds them: `criterion`, `points` and, unless there are none, `tags`.
 * A text says what is wrong.
 */
export const rubricItems = (rubric: PyValue | undefined): readonly RubricItem[] | string => {
  if (!isList(rubric)) return 'is no list of rubric items'
  const items: RubricItem[] = []
  for (const [index, raw] of rubric.entries()) {
    const item = itemOf(raw)
    if (typeof item === 'string') return `holds an item ${index + 1} ${item}`
    items.push(item)
  }
  return items
}

const itemOf = (item: PyValue): RubricItem | string => {
  if (!isDict(item)) return 'that is no object'
  const criterion = item.get('criterion')
  if (typeof criterion !== 'string') return 'without the text of its criterion'
  const given = item.get('points') ?? null
  const points = given instanceof Float ? given.value : given
  if (typeof points !== 'number' || !Number.isFinite(points)) return 'without a number of points'
  const tags = item.get('tags') ?? []
  if (!isList(tags) || !tags.every((tag): tag is string => typeof tag === 'string'))
    return 'whose tags are no list of texts'
  return { criterion, points, pointsText: repr(given), tags, raw: item }
}

/** The first tag that stands twice in a list; HealthBench's authors give a score by tag no meaning then. */
export const repeatedTag = (tags: readonly PyValue[]): PyValue | undefined =>
  tags.find((tag, index) => tags.indexOf(tag) !== index)
