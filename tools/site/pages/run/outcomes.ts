import { asciiJson, chunkOfJson } from '../../emit/chunk-script.ts'
import type { InstanceView } from './instances/instance-view.ts'

/**
 * A part of a run's index: what its requests came to, column by column, so that a page can filter and compare
 * without their texts.
 */
export interface OutcomeChunk {
  /** Requests on each of the pages that the chunk covers. */
  readonly sizes: readonly number[]
  readonly ids: readonly string[]
  /** Absent where all are 0. */
  readonly trials?: readonly number[]
  /** Of the main metric; null where it was not measured. */
  readonly scores: readonly (number | null)[]
  /** How far the judges are apart; absent where no instance has two judges. */
  readonly spreads?: readonly (number | null)[]
  /** Rows of the chunk whose request failed. */
  readonly failed: readonly number[]
  readonly last: boolean
  /** Blocks of searched texts; in the last chunk. */
  readonly texts?: number
}

/** Key of a chunk of the index; they count from 0 up to the one that is the last. */
export const outcomeKey = (index: number): string => `i${index}`

/** The greatest distance of two judges' scores of one criterion; null without two that gave a number. */
const spreadOf = (judges: InstanceView<unknown>['judges']): number | null => {
  const byCriterion = new Map<string, number[]>()
  for (const { criterion, score } of judges.flatMap(({ scores }) => scores)) {
    if (!/^-?\d+(?:\.\d+)?$/.test(score)) continue
    const known = byCriterion.get(criterion) ?? []
    known.push(Number(score))
    byCriterion.set(criterion, known)
  }
  const spreads = [...byCriterion.values()]
    .filter((scores) => scores.length > 1)
    .map((scores) => Math.max(...scores) - Math.min(...scores))
  return spreads.length === 0 ? null : Math.max(...spreads)
}

/** Bytes after which a chunk of the index ends with the page. */
const ENOUGH = 160 * 1024
/** Bytes of a request besides its id. */
const NUMBERS = 50

interface Row {
  readonly id: string
  readonly trial: number
  readonly score: number | null
  readonly spread: number | null
  readonly failed: boolean
}

/** Gathers the index while pages are written. */
export class OutcomeWriter {
  private readonly mainMetric: string
  private sizes: number[] = []
  private rows: Row[] = []
  private bytes = 0
  private chunks = 0

  constructor(mainMetric: string) {
    this.mainMetric = mainMetric
  }

  add(instance: InstanceView<string>): void {
    const { id, trial, metrics, judges, error } = instance
    const score = metrics.find(([name]) => name === this.mainMetric)?.[1] ?? null
    this.rows.push({ id, trial, score, spread: spreadOf(judges), failed: error !== undefined })
    // An escaped character takes six bytes at most.
    this.bytes += NUMBERS + 6 * id.length
  }

  /** @returns the chunk, if it is full; @param size requests of the page */
  endPage(size: number): { readonly key: string; readonly script: string } | undefined {
    this.sizes.push(size)
    return this.bytes < ENOUGH ? undefined : this.take(false)
  }

  /** The last chunk; it may be empty. @param texts blocks of searched texts */
  end(texts: number): { readonly key: string; readonly script: string } {
    return this.take(true, texts)
  }

  private take(last: boolean, texts?: number): { readonly key: string; readonly script: string } {
    const { rows, sizes } = this
    const chunk: OutcomeChunk = {
      sizes,
      ids: rows.map(({ id }) => id),
      ...(rows.some(({ trial }) => trial !== 0) ? { trials: rows.map(({ trial }) => trial) } : {}),
      scores: rows.map(({ score }) => score),
      ...(rows.some(({ spread }) => spread !== null) ? { spreads: rows.map(({ spread }) => spread) } : {}),
      failed: rows.flatMap(({ failed }, row) => (failed ? [row] : [])),
      last,
      ...(texts === undefined ? {} : { texts }),
    }
    const key = outcomeKey(this.chunks)
    this.chunks += 1
    this.rows = []
    this.sizes = []
    this.bytes = 0
    return { key, script: chunkOfJson(key, asciiJson(chunk)) }
  }
}
