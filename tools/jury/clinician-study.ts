import { asJson } from '../../cache/stored-shape.ts'
import type { Store } from '../../cache/store.ts'
import type { Agreement, AgreementEstimate } from '../../targets/jury/study/agreement.ts'
import type { DrawnShares } from '../../targets/ratings/draw/drawn-shares.ts'
import { keepStudy } from '../../targets/runs/kept-study.ts'
import type { RatedTargets } from './rated-runs.ts'

/** How a jury agrees with clinicians on a benchmark, for a board: numbers alone, nobody's name. */
export interface ClinicianStudy {
  readonly raters: number
  readonly ratings: number
  readonly answers: number
  /** Where a plan drew unequal shares of the answers. */
  readonly drawn?: DrawnShares
  /** Of clinicians among themselves, and of the jury with their mean. */
  readonly clinicians: AgreementEstimate
  readonly jury: AgreementEstimate
  readonly spearman: AgreementEstimate
  readonly lead: AgreementEstimate
}

/** Keeps what a command found about the jury for the board of the rated runs. */
export const keepClinicianStudies = async (
  agreements: readonly Agreement[],
  found: RatedTargets['found'],
  store: Store,
): Promise<void> => {
  for (const { name, raters, ratings, answers, drawn, clinicians, jury } of agreements) {
    const records = new Set(
      found.flatMap(({ rating, answer }) => (rating.benchmark === name ? [answer.run.digest] : [])),
    )
    if (jury === null || records.size === 0) continue
    const study: ClinicianStudy = {
      raters,
      ratings,
      answers,
      ...(drawn && { drawn }),
      clinicians: clinicians.icc,
      jury: jury.icc,
      spearman: jury.spearman,
      lead: estimateOf(jury.lead),
    }
    await keepStudy('clinicians', [...records], asJson(study), store)
  }
}

const estimateOf = ({ value, interval, reason }: AgreementEstimate): AgreementEstimate => ({
  value,
  interval,
  ...(reason === undefined ? {} : { reason }),
})
