import { groupBy } from '../../cache/lists.ts'
import { str } from '../../benchmarks/python/numbers/number.ts'
import { shownAdapter } from '../access/discreet-texts.ts'
import { ADAPTER_KEYS, adapterValue } from './adapter-key.ts'
import { equalityKey, type TableRun } from './table.ts'
import { findModel, type ModelIndex } from './models.ts'

type Adapter = TableRun['adapter']

const MODEL_KEYS = ['model_deployment', 'model']

/** Fields that a row shows besides its model: those needed, in HELM's order, until no other row has the same. */
const distinguishing = (rows: readonly Adapter[]): readonly (readonly string[])[] => {
  const values = new Map(
    ADAPTER_KEYS.map((key) => [key as string, rows.map((row) => equalityKey(adapterValue(row, key)))]),
  )
  const differing: readonly string[] = ADAPTER_KEYS.filter((key) => new Set(values.get(key)).size > 1)
  const shown: string[][] = rows.map(() => [])
  /** Rows that are alike in the keys so far. */
  let groups: (readonly number[])[] = [rows.map((_, at) => at)]
  for (const key of [
    ...MODEL_KEYS.filter((key) => differing.includes(key)),
    ...differing.filter((key) => !MODEL_KEYS.includes(key)),
  ]) {
    groups = groups.filter((group) => group.length > 1)
    if (!MODEL_KEYS.includes(key)) for (const at of groups.flat()) shown[at]?.push(key)
    groups = groups.flatMap((group) => [...groupBy(group, (at) => values.get(key)?.[at]).values()])
  }
  return shown
}

const modelName = (adapter: Adapter, models: ModelIndex): string => {
  const name = findModel(adapter, models)?.displayName ?? adapter.model
  return name === '' ? '???' : name
}

/** First cell of each row: the model's display name and what tells it from other rows of that model. */
export const rowLabels = (
  rows: readonly { readonly adapter: Adapter; readonly runs: readonly Pick<TableRun, 'isRestricted'>[] }[],
  models: ModelIndex,
): readonly string[] => {
  const keys = distinguishing(rows.map(({ adapter }) => adapter))
  return rows.map(({ adapter, runs }, index) => {
    const access = runs.some(({ isRestricted }) => isRestricted === true) ? 'private' : 'public'
    const told = shownAdapter(adapter, { access })
    const details = (keys[index] ?? []).map((key) => `${key}: ${str(adapterValue(told, key))}`)
    return modelName(adapter, models) + (details.length === 0 ? '' : ` [${details.join(', ')}]`)
  })
}
