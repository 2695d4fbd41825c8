import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loads } from '../../../benchmarks/python/json.ts'
import { dumps } from '../../../benchmarks/python/dumps.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Profile } from '../../../targets/profile.ts'
import { RUN_FILES } from '../../../tools/helm/write/write-run.ts'
import { field, listOf } from '../helm-file.ts'
import { recomputeStats } from './recompute.ts'
import { readSavedRun } from './saved-run.ts'

/** A run that HELM wrote. */
export interface StatsCase {
  readonly directory: string
  /** Folder of the reference results that it lies in. */
  readonly source: string
  readonly label: string
  readonly profile: Profile
}

/** How many elements of a file are the same, byte for byte and at the same place. */
export interface FileParity {
  readonly equal: number
  readonly compared: number
}

export interface StatsRow extends Pick<StatsCase, 'label' | 'source'> {
  /** Undefined where the run cannot be recomputed at all. */
  readonly files?: { readonly stats: FileParity; readonly perInstance: FileParity }
  /** What HELM has and what is not computed here, with the reason. */
  readonly notComputed: readonly string[]
  readonly difference?: string
}

export const compareStats = async ({ directory, source, label, profile }: StatsCase): Promise<StatsRow> => {
  const saved = await readSavedRun(directory)
  if ('reason' in saved) return { label, source, notComputed: [saved.reason] }
  const recomputed = recomputeStats(saved, profile)
  const stats = compareFile(join(directory, RUN_FILES.stats), recomputed.stats)
  const perInstance = compareFile(join(directory, RUN_FILES.perInstanceStats), recomputed.perInstance)
  const difference = stats.difference ?? perInstance.difference
  return {
    label,
    source,
    files: { stats: stats.parity, perInstance: perInstance.parity },
    notComputed: [
      ...new Set([
        ...stats.notComputed,
        ...perInstance.notComputed,
        ...recomputed.omitted.map(({ names, reason }) => `${names}: ${reason}`),
      ]),
    ],
    ...(difference === undefined ? {} : { difference }),
  }
}

/** Stats that HELM computes with a model that is not at hand. */
const NOT_OURS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^BERTScore-[PRF]$/, 'BERTScore: no encoder'],
  [/^summac$/, 'SummaC: its models are not run here'],
]

const reasonFor = (element: PyValue): string | undefined => {
  const name = field(element, 'name', 'name')
  return typeof name === 'string' ? NOT_OURS.find(([pattern]) => pattern.test(name))?.[1] : undefined
}

const compareFile = (
  file: string,
  ours: readonly PyValue[],
): {
  readonly parity: FileParity
  readonly notComputed: readonly string[]
  readonly difference?: string
} => {
  const text = readFileSync(file, 'utf8')
  const notComputed: string[] = []
  const theirs = listOf(loads(text)).map((element) => withoutForeign(element, notComputed))
  const kept = theirs.filter((element) => element !== undefined)
  const length = Math.max(kept.length, ours.length)
  const differing = Array.from({ length }, (_, index) => index).filter(
    (index) => printed(kept[index]) !== printed(ours[index]),
  )
  const parity = { equal: length - differing.length, compared: length }
  const [first] = differing
  if (first !== undefined)
    return {
      parity,
      notComputed,
      difference: `${file}: element ${first + 1} ${firstDifference(kept[first], ours[first])}`,
    }
  // Elements alike, but the file itself must be, too, unless something was left out of it.
  const bytes = notComputed.length > 0 || dumps(ours, { indent: 2 }) === text
  return bytes ? { parity, notComputed } : { parity, notComputed, difference: `${file}: the layout differs` }
}

/** An element of HELM's without the stats that are not ours; undefined where nothing is left. */
const withoutForeign = (element: PyValue, notComputed: string[]): PyValue | undefined => {
  const reason = reasonFor(element)
  if (reason !== undefined) {
    notComputed.push(reason)
    return undefined
  }
  if (!(element instanceof Map) || !element.has('stats')) return element
  const stats = listOf(element.get('stats') ?? null).map((stat) => withoutForeign(stat, notComputed))
  return new Map([
    ...(element as ReadonlyMap<string, PyValue>),
    ['stats', stats.filter((stat) => stat !== undefined)],
  ])
}

const printed = (element: PyValue | undefined): string => (element === undefined ? '' : dumps(element))

const CONTEXT = 40

const firstDifference = (theirs: PyValue | undefined, ours: PyValue | undefined): string => {
  const [left, right] = [printed(theirs), printed(ours)]
  let at = 0
  while (at < left.length && left[at] === right[at]) at += 1
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - CONTEXT), at + CONTEXT))
  return `is ${around(right)}, HELM's ${around(left)}`
}
