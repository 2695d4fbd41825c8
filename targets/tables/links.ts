import { dumps } from '../../benchmarks/python/json.ts'
import type { Hyperlink } from './table.ts'

/** Python's `urllib.parse.quote` with no safe characters: only letters, digits and `_.-~` stay. */
export const quote = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Address of the front-end's page that shows runs side by side (HELM.md T23). */
export const runsUrl = (runSpecNames: readonly string[], group: string, subgroup: string): string =>
  `?group=${quote(group)}&subgroup=${quote(subgroup)}&runSpecs=${quote(dumps(runSpecNames))}`

const MOST_COMPARED = 5

/** Link to all runs of a table, where they are few enough to compare. */
export const compareLinks = (
  runSpecNames: readonly string[],
  group: string,
  subgroup: string,
): readonly Hyperlink[] =>
  runSpecNames.length < 2 || runSpecNames.length > MOST_COMPARED
    ? []
    : [{ text: 'compare all', href: runsUrl(runSpecNames, group, subgroup) }]
