import type { PracticeUnit, Study } from './study.ts'

/** What a rater is asked to rate, in the rater's own order. */
export interface QueuedUnit {
  readonly unit: PracticeUnit
  /** The unit's in its study; of practice its order. */
  readonly number: number
  /** From 1; practice has an order of its own. */
  readonly order: number
  readonly isPractice: boolean
}

/** Practice, then what counts; nothing for somebody whom the study does not name. */
export const raterQueue = ({ practice = [], units, raters }: Study, rater: string): readonly QueuedUnit[] => {
  const own = raters.find(({ name }) => name === rater)?.units
  if (own === undefined) return []
  const byNumber = new Map(units.map((unit) => [unit.number, unit]))
  return [
    ...practice.map((unit, index) => ({ unit, number: index + 1, order: index + 1, isPractice: true })),
    ...own.flatMap((number, index) => {
      const unit = byNumber.get(number)
      return unit === undefined ? [] : [{ unit, number, order: index + 1, isPractice: false }]
    }),
  ]
}

/** One name for an item of a queue: an answer to practise on may be asked for in earnest later. */
export const queueKey = (key: string, isPractice: boolean): string => (isPractice ? `practice ${key}` : key)
