import { shortDigest, type Study, type StudyFrame } from '../study.ts'
import { unitKey, type FrameAnswer } from '../unit.ts'

/** What a study drew among one model's answers to one benchmark. */
export interface FrameDraw {
  readonly strata: StudyFrame['strata']
  /** The latest wave of its strata. */
  readonly lastWave: number
  /** Keys of units. */
  readonly drawn: ReadonlySet<string>
  /** Place of the stratum that held an answer; undefined for one that came since. */
  stratumOf(answer: Pick<FrameAnswer, 'answer'>): number | undefined
}

/** Undefined where it drew nothing there, or by another rubric. */
export const frameDraw = (
  { frames, units }: Pick<Study, 'frames' | 'units'>,
  run: Pick<StudyFrame, 'benchmark' | 'model' | 'rubric'>,
): FrameDraw | undefined => {
  const at = frames.findIndex(
    ({ benchmark, model, rubric }) =>
      benchmark === run.benchmark && model === run.model && rubric === run.rubric,
  )
  const strata = frames[at]?.strata
  if (strata === undefined) return undefined
  const places = new Map(
    strata.flatMap(({ answers }, stratum) => answers.split(' ').map((answer) => [answer, stratum] as const)),
  )
  return {
    strata,
    lastWave: Math.max(0, ...strata.map(({ wave = 0 }) => wave)),
    drawn: new Set(units.filter(({ drawn }) => drawn.some(([own]) => own === at)).map(unitKey)),
    stratumOf: ({ answer }) => places.get(shortDigest(answer)),
  }
}
