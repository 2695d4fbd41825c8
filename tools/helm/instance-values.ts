import { remembered } from '../../cache/once.ts'
import { parsedJson } from '../../cache/values/json.ts'
import { defined } from '../../cache/values/defined.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { InstanceValues } from '../../targets/record/coverage.ts'
import { equalityKey } from '../../targets/tables/table.ts'

/** What tables and pages read of an element of per_instance_stats.json; every HelmPerInstanceStats is one. */
export interface HelmInstanceValues extends InstanceValues {
  readonly stats: readonly (InstanceValues['stats'][number] & { readonly mean?: number })[]
}

/** What a run's page reads of such an element. */
export interface ShownInstanceValues extends Pick<
  HelmInstanceValues,
  'instanceId' | 'trainTrialIndex' | 'perturbation'
> {
  readonly stats: readonly { readonly name: { readonly name: string }; readonly mean?: number }[]
}

/**
 * Reads an unperturbed element by JSON.parse, which does not tell Python's floats from its ints.
 * Undefined for anything else: another reader says what it is.
 */
export const plainInstanceValues = (text: string): HelmInstanceValues | undefined => {
  // None: NaN and Infinity, which Python writes, or damage.
  const value = parsedJson(text)
  if (!isObject(value)) return undefined
  const { instance_id: instanceId, train_trial_index: trainTrialIndex, stats, perturbation } = value
  if (typeof instanceId !== 'string' && !Number.isSafeInteger(instanceId)) return undefined
  if (!Number.isSafeInteger(trainTrialIndex) || perturbation !== undefined) return undefined
  if (!Array.isArray(stats) || !stats.every(isPlainStat)) return undefined
  return { instanceId, trainTrialIndex, stats } as HelmInstanceValues
}

const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?`
const STRING = String.raw`"[^"\\\x00-\x1f]*"`
const HEAD = new RegExp(
  String.raw`\s*\{\n {4}"instance_id": (${STRING}|-?\d{1,15}),\n {4}"train_trial_index": (\d{1,15}),\n {4}"stats": \[`,
  'y',
)
const NAME = '\n      {\n        "name": {\n          "name": "'
/** Of one stat; MEAN stands for a pattern of its mean. */
const PATTERN = String.raw`${NAME.replaceAll('{', '\\{')}[^"\\\x00-\x1f]*"(?:,\n {10}"split": ${STRING})?\n {8}\},\n {8}"count": \d{1,15},\n {8}"sum": ${NUMBER},\n {8}"sum_squared": ${NUMBER}(?:,\n {8}"min": ${NUMBER},\n {8}"max": ${NUMBER},\n {8}"mean": MEAN,\n {8}"variance": ${NUMBER},\n {8}"stddev": ${NUMBER})?\n {6}\}(?:,(?=\n {6}\{)|(?=\n {4}\]))`
const STAT = new RegExp(PATTERN.replace('MEAN', NUMBER), 'y')
const STAT_WITH_MEAN = new RegExp(PATTERN.replace('MEAN', `(${NUMBER})`), 'y')
const END = '\n    ]\n  }'

/** Means of the metrics `shown` alone, by the text of an element as Python prints it; undefined for any other. */
export const shownInstanceValues = (
  text: string,
  shown: ReadonlySet<string>,
): ShownInstanceValues | undefined => {
  HEAD.lastIndex = 0
  const [head, id = '', trial] = HEAD.exec(text) ?? []
  if (head === undefined) return undefined
  const stats: { readonly name: { readonly name: string }; readonly mean?: number }[] = []
  let at = head.length
  while (!text.startsWith(END, at)) {
    const start = at + NAME.length
    const name = text.slice(start, text.indexOf('"', start))
    const pattern = shown.has(name) ? STAT_WITH_MEAN : STAT
    pattern.lastIndex = at
    if (pattern === STAT) {
      if (!STAT.test(text)) return undefined
    } else {
      const found = STAT_WITH_MEAN.exec(text)
      if (found === null) return undefined
      if (found[1] !== undefined) stats.push({ name: { name }, mean: Number(found[1]) })
    }
    at = pattern.lastIndex
  }
  if (text.length > at + END.length) return undefined
  return { instanceId: JSON.parse(id) as string | number, trainTrialIndex: Number(trial), stats }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isPlainStat = (stat: unknown): boolean =>
  isObject(stat) &&
  isObject(stat['name']) &&
  typeof stat['name']['name'] === 'string' &&
  ['string', 'undefined'].includes(typeof stat['name']['split']) &&
  stat['name']['sub_split'] === undefined &&
  stat['name']['perturbation'] === undefined &&
  Number.isSafeInteger(stat['count']) &&
  typeof stat['sum'] === 'number' &&
  ['number', 'undefined'].includes(typeof stat['mean'])

/** Which row of a run's page: an instance, perturbed or not, in one trial. */
interface RowKey {
  readonly id: string | number | undefined
  readonly perturbation?: ReadonlyMap<string, PyValue>
  readonly trial: number
}

const keyText = ({ id, perturbation, trial }: RowKey): string =>
  JSON.stringify([String(id), equalityKey(perturbation), trial])

/**
 * Means of the shown metrics by row. Kept as flat lists of name numbers and values: a run may have 100,000 rows.
 */
export class InstanceStats {
  readonly #shown: ReadonlySet<string>
  readonly #names: string[] = []
  readonly #places = new Map<string, number>()
  readonly #rows = new Map<string, number[]>()

  constructor(shown: ReadonlySet<string>) {
    this.#shown = shown
  }

  add({ instanceId, perturbation, trainTrialIndex, stats }: ShownInstanceValues): void {
    const key = keyText(defined({ id: instanceId, perturbation, trial: trainTrialIndex }))
    const row = remembered(this.#rows, key, (): number[] => [])
    for (const { name, mean } of stats) {
      if (mean === undefined || !this.#shown.has(name.name)) continue
      this.#set(row, this.#place(name.name), mean)
    }
  }

  /** Names in the order in which the row first had them; of several values of one name the last counts. */
  row(key: RowKey): ReadonlyMap<string, number> {
    const row = this.#rows.get(keyText(key)) ?? []
    const found = new Map<string, number>()
    for (let at = 0; at < row.length; at += 2) {
      const name = this.#names[row[at] ?? -1]
      if (name !== undefined) found.set(name, row[at + 1] ?? Number.NaN)
    }
    return found
  }

  #place(name: string): number {
    const known = this.#places.get(name)
    if (known !== undefined) return known
    this.#places.set(name, this.#names.length)
    return this.#names.push(name) - 1
  }

  #set(row: number[], place: number, value: number): void {
    for (let at = 0; at < row.length; at += 2) {
      if (row[at] !== place) continue
      row[at + 1] = value
      return
    }
    row.push(place, value)
  }
}
