import type { PyValue } from '../../benchmarks/python/value.ts'
import type { RequestState } from '../record/request-state.ts'
import { judgeScores } from './judge-scores.ts'
import { storedJudgements, type JuryReading } from './stored-judgements.ts'

/** One criterion of the rubric as one judge scored it. */
interface CriterionCoverage {
  readonly criterion: string
  /** Judgements with a score of it that is a number on the scale, whatever the other criteria hold. */
  readonly counted: number
  /** Mean of these, in points of the rubric; null without any. */
  readonly mean: number | null
}

/** How far one judge's replies on a run's answers can be counted. */
export interface JudgeCoverage {
  readonly judge: string
  /** Answers that it was asked about. */
  readonly asked: number
  /** Judgements whose every score is a number on the scale. */
  readonly counted: number
  /** No reply, or none that could be read. */
  readonly unreadable: number
  readonly outOfRange: number
  /** Mean over all scores of the judgements that count, in points of the rubric; null without any. */
  readonly mean: number | null
  /** Those that the rubric names, in its order. What a judge added counts above alone: HELM averages over it. */
  readonly criteria: readonly CriterionCoverage[]
}

/** Counts a run's judgements, request by request. */
export class JudgeCounter {
  readonly #rules: JuryReading
  readonly #judges: ReadonlyMap<string, Tally>

  constructor(rules: JuryReading) {
    this.#rules = rules
    this.#judges = new Map(rules.judges.map((judge) => [judge, newTally([...rules.jury.criteria.keys()])]))
  }

  add(state: Pick<RequestState, 'annotations' | 'instance'>): void {
    for (const { judge, parsed, reading } of storedJudgements(state, this.#rules)) {
      const tally = this.#judges.get(judge)
      if (tally === undefined) throw new RangeError(`no judge ${judge}`)
      tally.asked += 1
      if (reading.kind === 'scores') {
        tally.counted += 1
        tally.all.add(reading.scores)
      } else if (reading.cause === 'judge-out-of-range') tally.outOfRange += 1
      else tally.unreadable += 1
      for (const [criterion, mean] of tally.criteria) mean.add(this.#scoreOf(criterion, parsed))
    }
  }

  result(): readonly JudgeCoverage[] {
    return [...this.#judges].map(([judge, { all, criteria, ...counts }]) => ({
      judge,
      ...counts,
      mean: all.mean(),
      criteria: [...criteria].map(([criterion, mean]) => ({
        criterion,
        counted: mean.count,
        mean: mean.mean(),
      })),
    }))
  }

  /** One score, or none where it does not count. */
  #scoreOf(criterion: string, parsed: PyValue | undefined): readonly number[] {
    if (!(parsed instanceof Map) || !parsed.has(criterion)) return []
    const read = judgeScores(
      new Map([[criterion, parsed.get(criterion) ?? null]]),
      this.#rules.dialect.scores,
    )
    const { least, most } = this.#rules.jury.scale
    return read.kind === 'done' ? read.value.filter((score) => score >= least && score <= most) : []
  }
}

interface Tally {
  asked: number
  counted: number
  unreadable: number
  outOfRange: number
  readonly all: Mean
  readonly criteria: ReadonlyMap<string, Mean>
}

const newTally = (criteria: readonly string[]): Tally => ({
  asked: 0,
  counted: 0,
  unreadable: 0,
  outOfRange: 0,
  all: new Mean(),
  criteria: new Map(criteria.map((criterion) => [criterion, new Mean()])),
})

class Mean {
  count = 0
  #sum = 0

  add(values: readonly number[]): void {
    this.count += values.length
    this.#sum += values.reduce((sum, value) => sum + value, 0)
  }

  mean(): number | null {
    return this.count === 0 ? null : this.#sum / this.count
  }
}
