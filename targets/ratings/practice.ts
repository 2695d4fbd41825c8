import type { PracticeUnit } from './study.ts'
import type { FrameAnswer } from './unit.ts'

/**
 * Answers to practise on: such as nobody is asked to rate, of as many strata as there are, those that a larger plan would
 * draw last.
 *
 * @param left what no draw took, by stratum, in the order of the draw
 */
export const practiceUnits = (
  left: readonly (readonly FrameAnswer[])[],
  count: number,
): readonly PracticeUnit[] => {
  const found = new Map<string, PracticeUnit>()
  const deepest = Math.max(0, ...left.map(({ length }) => length))
  for (let back = 1; back <= deepest && found.size < count; back += 1)
    for (const answers of left) {
      const last = answers.at(-back)
      if (last === undefined || found.size >= count || found.has(last.instance)) continue
      const { benchmark, instance, answer, rubric } = last
      found.set(instance, { benchmark, instance, answer, rubric })
    }
  return [...found.values()]
}
