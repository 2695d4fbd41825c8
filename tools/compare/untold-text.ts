import type { UntoldBenchmarks } from '../../targets/compare/ranks/rank-by-average.ts'
import { listText } from '../../cache/words/number-text.ts'

/** What keeps models from being told apart by their averages. @param labelOf a benchmark's, as readers know it */
export const untoldLines = (
  { oneSource, unshared }: UntoldBenchmarks,
  labelOf: (benchmark: string) => string,
): readonly string[] => [
  ...(oneSource.length === 0
    ? []
    : [
        `Of ${listText(oneSource.map(labelOf))} a model was asked one instance, or one patient’s alone: its average is told apart from none.`,
      ]),
  ...(unshared.length === 0
    ? []
    : [`Models that were asked nothing alike on ${listText(unshared.map(labelOf))} are not told apart.`]),
]
