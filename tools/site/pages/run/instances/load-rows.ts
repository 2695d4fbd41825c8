import type { LoadChunk } from '../../../components/text/whole-text.ts'
import { instancesOf, pageKey, type InstancePage } from './instance-page.ts'
import type { InstanceView } from './instance-view.ts'
import { pageOfRow, type InstanceIndex } from '../run-index.ts'

/** Loads the requests of some rows, in their order. Rejects where a chunk can't be loaded. */
export const loadRows = async (
  rows: readonly number[],
  index: InstanceIndex,
  load: LoadChunk,
): Promise<readonly InstanceView[]> => {
  const places = rows.map((row) => pageOfRow(index, row))
  const numbers = [...new Set(places.map(({ page }) => page))]
  const pages = new Map(
    await Promise.all(
      numbers.map(async (page) => [page, instancesOf((await load(pageKey(page))) as InstancePage)] as const),
    ),
  )
  return places.flatMap(({ page, place }) => pages.get(page)?.[place] ?? [])
}
