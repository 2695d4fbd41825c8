import { str } from '../../benchmarks/python/numbers/number.ts'
import { ADAPTER_KEYS, adapterValue } from './adapter-key.ts'
import { equalityKey } from './equality.ts'
import { findModel, type ModelIndex } from './models.ts'
import type { TableRun } from './run.ts'

type Adapter = TableRun['adapter']

const MODEL_KEYS = ['model_deployment', 'model']

/** Fields that a row shows besides its model: those needed, in HELM's order, until no other row has the same. */
const distinguishing = (rows: readonly Adapter[]): readonly (readonly string[])[] => {
  const differing = ADAPTER_KEYS.filter(
    (key) => new Set(rows.map((row) => equalityKey(adapterValue(row, key)))).size > 1,
  )
  const keys = [
    ...MODEL_KEYS.filter((key) => (differing as readonly string[]).includes(key)),
    ...differing.filter((key) => !MODEL_KEYS.includes(key)),
  ]
  return rows.map((row) => {
    let alike = rows
    const shown: string[] = []
    for (const key of keys) {
      if (alike.length === 1) break
      const value = equalityKey(adapterValue(row, key))
      alike = alike.filter((other) => equalityKey(adapterValue(other, key)) === value)
      if (!MODEL_KEYS.includes(key)) shown.push(key)
    }
    return shown
  })
}

const modelName = (adapter: Adapter, models: ModelIndex): string => {
  const name = findModel(adapter, models)?.displayName ?? adapter.model
  return name === '' ? '???' : name
}

/** First cell of each row: the model's display name and what tells it from other rows of that model. */
export const rowLabels = (rows: readonly Adapter[], models: ModelIndex): readonly string[] => {
  const keys = distinguishing(rows)
  return rows.map((row, index) => {
    const details = (keys[index] ?? []).map((key) => `${key}: ${str(adapterValue(row, key))}`)
    return modelName(row, models) + (details.length === 0 ? '' : ` [${details.join(', ')}]`)
  })
}
