import { sumOver } from '../../cache/lists.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Failure } from '../../cache/problems/problem.ts'

/**
 * Why a request has no score, or one that says less than it seems to. The first four have a reply, which HELM scores
 * like any other; the rest have none or a part of one.
 */
export const CAUSES = [
  /** The prompt was cut to the deployment's window. */
  'prompt-truncated',
  /** The answer is blank. Judges are not asked; HELM scores it by default. */
  'empty-completion',
  /** The model declined, or the provider's filter held the answer back. */
  'refused',
  /** The answer reached `max_tokens`. Usual where an answer is a letter: servers say so there, too. */
  'truncated',
  /** The model gave no reply. */
  'provider-error',
  /** The model's or a judge's reply is not in the store, and nobody was asked (`--stored-only`), or it comes with a batch. */
  'not-stored',
  /** A judge gave no reply. */
  'judge-missing',
  /** A judge's reply could not be read, lacks a criterion or holds a score that is no number. */
  'judge-unparseable',
  /** A judge's score lies outside of the rubric's scale. HELM counts it as it is. */
  'judge-out-of-range',
  /** There is a reply, but the main metric has no value of it. */
  'not-measured',
  /** A row of the data set that was skipped: it became no request at all. */
  'row-skipped',
  /** A row of the data set that the original reads without a part of it, such as a cell more than the header has. */
  'row-in-part',
  /** A row of the workspace's own data that says the same as one before it: its answer counts once more. */
  'row-repeated',
  /** The provider served it, or a judge's reply, with another model or another state of it than most of the run's. */
  'model-drift',
] as const

export type Cause = (typeof CAUSES)[number]

/** What a reply that is not stored fails with where nobody may be asked. */
export const NOT_MADE = 'call/not-made'

/** And with what it does that comes with a batch. */
export const WAITING = 'batch/waiting'

export const isNotStored = ({ code }: Failure): boolean => code === NOT_MADE || code === WAITING

/** Requests by cause, one of the prompt and one of the reply at most; judgements by cause. None stands for 0. */
export type Causes = Readonly<Partial<Record<Cause, number>>>

const OF_VALUES = new Set<string>([
  'provider-error',
  'not-stored',
  'judge-missing',
  'judge-unparseable',
  'judge-out-of-range',
  'not-measured',
] satisfies readonly Cause[])

/** Those of the causes that leave a request without its value, or without one of its judges' scores. */
export const valueLosses = (causes: Causes): Causes =>
  Object.fromEntries(Object.entries(causes).filter(([cause]) => OF_VALUES.has(cause)))

/** How much of what was to be measured was. */
export interface Coverage {
  /** Requests of the main metric's split. */
  readonly evaluated: number
  /**
   * Those of them with a value of the main metric that rests on the model's reply and, where judges were asked, on at
   * least one score that could be read and lies on the scale. HELM's default score for lack of judges is no measurement.
   */
  readonly measured: number
  /** Of a main metric that judges give; absent otherwise. */
  readonly judgements?: JudgementCount
}

/** Judges × answers of the requests of the main metric's split. */
export interface JudgementCount {
  /** A request without a reply counts: its judgements are missing, too. */
  readonly wanted: number
  /** Could be read and lie on the scale. Where an answer is blank there is nothing to judge, and nothing is lost. */
  readonly read: number
}

/** Several runs' coverage as one. */
export const sumCoverage = (all: readonly Coverage[]): Coverage => {
  const sum = sumOver(all)
  return {
    evaluated: sum(({ evaluated }) => evaluated),
    measured: sum(({ measured }) => measured),
    ...(all.some(({ judgements }) => judgements !== undefined) && {
      judgements: {
        wanted: sum(({ judgements }) => judgements?.wanted),
        read: sum(({ judgements }) => judgements?.read),
      },
    }),
  }
}

/** The share of the requests, or of their judgements, that counts: the lesser of both. Undefined where nobody counted. */
export const coveredShare = ({ evaluated, measured, judgements }: Coverage): number | undefined => {
  if (evaluated === 0) return undefined
  const judged = judgements === undefined || judgements.wanted === 0 ? 1 : judgements.read / judgements.wanted
  return Math.min(measured / evaluated, judged)
}

/** Whether scores of so much are ranked: too much that is missing says more of the failures than of the model. */
export const isCovered = (coverage: Coverage, floor: number): boolean =>
  (coveredShare(coverage) ?? 1) >= floor

/** Sums by cause, in the order of `CAUSES`. */
export const addCauses = (all: readonly Causes[]): Causes =>
  Object.fromEntries(
    CAUSES.flatMap((cause) => {
      const count = all.reduce((sum, causes) => sum + (causes[cause] ?? 0), 0)
      return count === 0 ? [] : [[cause, count]]
    }),
  )

/** What is read of an element of per_instance_stats.json, ours or HELM's. */
export interface InstanceValues {
  readonly instanceId: string | number
  readonly perturbation?: ReadonlyMap<string, PyValue>
  readonly trainTrialIndex: number
  readonly stats: readonly {
    readonly name: {
      readonly name: string
      readonly split?: string
      readonly subSplit?: string
      readonly perturbation?: object
    }
    readonly count: number
    readonly sum: number
  }[]
}

/** NaN where HELM's files say NaN or Infinity: that is no measurement. Undefined for a stat that nothing was added to. */
export const valueOf = ({ count, sum }: InstanceValues['stats'][number]): number | undefined => {
  if (count === 0) return undefined
  return Number.isFinite(sum) ? sum / count : NaN
}
