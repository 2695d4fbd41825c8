import { contrastOf, testContrast } from '../statistics/paired/contrast.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { meanOf } from '../statistics/mean.ts'
import type { Probe } from './study/probes.ts'
import { CONFIDENCE } from '../statistics/scale.ts'

/** One judge's mean scores of one answer, as it came and altered. */
export interface ProbedAnswer {
  readonly before: number
  readonly after: number
  /** What is drawn independently: a patient, or the instance. */
  readonly source: string
}

/** How far an alteration moves a judge. */
export interface ProbeEffect {
  readonly benchmark: string
  readonly probe: Probe
  readonly judge: string
  /** Answers that the judge scored both times. */
  readonly answers: number
  /** Mean change in points; null without an answer. */
  readonly change: number | null
  /** 95 %; null for answers of one source. */
  readonly interval: Interval | null
  readonly p: number | null
  /** Share of the answers that got more, and less. */
  readonly rose: number
  readonly fell: number
}

export const probeEffect = (
  of: Pick<ProbeEffect, 'benchmark' | 'probe' | 'judge'>,
  answers: readonly ProbedAnswer[],
  [least, most]: readonly [number, number],
): ProbeEffect => {
  const range = most - least
  const changes = answers.map(({ before, after }) => after - before)
  const tested =
    answers.length === 0
      ? undefined
      : testContrast(
          contrastOf([
            {
              benchmark: of.benchmark,
              differences: changes.map((change) => change / range),
              sources: answers.map(({ source }) => source),
            },
          ]),
          CONFIDENCE,
        )
  const share = (holds: (change: number) => boolean): number =>
    changes.length === 0 ? 0 : changes.filter(holds).length / changes.length
  return {
    ...of,
    answers: answers.length,
    change: changes.length === 0 ? null : meanOf(changes),
    interval: tested === undefined ? null : { low: range * tested.low, high: range * tested.high },
    p: tested?.p ?? null,
    rose: share((change) => change > 0),
    fell: share((change) => change < 0),
  }
}
