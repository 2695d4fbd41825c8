import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToldBefore } from '../../targets/runs/nearly-same.ts'
import { cardPath, readCard } from './run-card.ts'

/**
 * Runs of these names in other releases of a folder. What can't be read tells nothing.
 * @param own the release that is made
 */
export const earlierRuns = async (
  releases: string,
  own: string,
  names: ReadonlySet<string>,
): Promise<readonly ToldBefore[]> => {
  const found: ToldBefore[] = []
  for (const release of await namesIn(releases)) {
    const bundle = join(releases, release, 'bundle')
    for (const suite of release === own ? [] : await namesIn(join(bundle, 'records')))
      for (const name of names) {
        const card = await readCard(bundle, cardPath(suite, name)).catch(() => undefined)
        if (card) found.push({ by: `release ${release}`, name, rows: card.record.rows })
      }
  }
  return found
}

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])
