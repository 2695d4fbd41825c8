import { groupBy } from '../../../../../cache/lists.ts'
import { wholeText, type LoadChunk } from '../../../components/text/whole-text.ts'
import type { InstanceView, ShownText } from './instance-view.ts'
import { loadRows } from './load-rows.ts'
import { pageOfRow, type InstanceIndex } from '../run-index.ts'

/** Rows with all of their texts, page after page. Rejects where a chunk can't be loaded. */
export const wholeInstances = async (
  rows: readonly number[],
  index: InstanceIndex,
  load: LoadChunk,
  tell: (read: number) => void,
): Promise<readonly InstanceView<string>[]> => {
  const byRow = new Map<number, InstanceView<string>>()
  for (const batch of rowsByPage(rows, index)) {
    const views = await loadRows(batch, index, load)
    for (const [at, view] of views.entries()) byRow.set(batch[at] ?? -1, await whole(view, load))
    tell(byRow.size)
  }
  return rows.flatMap((row) => byRow.get(row) ?? [])
}

/** Rows of a page together, so that each page is loaded once. */
const rowsByPage = (rows: readonly number[], index: InstanceIndex): Iterable<readonly number[]> =>
  groupBy(
    rows.toSorted((a, b) => a - b),
    (row) => String(pageOfRow(index, row).page),
  ).values()

const whole = async (view: InstanceView, load: LoadChunk): Promise<InstanceView<string>> => {
  const text = (shown: ShownText): Promise<string> => wholeText(shown, load)
  const { error, mapped, thinking, judgePrompt, ...rest } = view
  return {
    ...rest,
    ...(error === undefined ? {} : { error: await text(error) }),
    ...(mapped === undefined ? {} : { mapped: await text(mapped) }),
    ...(thinking === undefined ? {} : { thinking: await text(thinking) }),
    ...(judgePrompt === undefined ? {} : { judgePrompt: await text(judgePrompt) }),
    prompt: await text(view.prompt),
    completions: await Promise.all(view.completions.map(text)),
    references: await Promise.all(
      view.references.map(async ({ text: shown, correct }) => ({ text: await text(shown), correct })),
    ),
    judges: await Promise.all(
      view.judges.map(async ({ name, scores }) => ({
        name,
        scores: await Promise.all(
          scores.map(async ({ explanation, ...score }) => ({
            ...score,
            explanation: await text(explanation),
          })),
        ),
      })),
    ),
    annotations: await Promise.all(
      view.annotations.map(async ({ name, json }) => ({ name, json: await text(json) })),
    ),
  }
}
