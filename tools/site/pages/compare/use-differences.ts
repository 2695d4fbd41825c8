import {
  compareModels,
  type ComparedModels,
  type SharedBenchmark,
} from '../../../../targets/compare/compare-models.ts'
import { useLoaded } from '../../client/use-loaded.ts'
import type { LoadChunk } from '../../components/text/whole-text.ts'
import { unpacked, unpackedSources } from '../../values/packed.ts'
import type { ModelValues, ScenarioSources } from '../../values/values-files.ts'
import type { CompareData } from './compare-data.ts'
import type { ChosenModels } from './state.ts'

/** Undefined while values load; null where they can't be. */
export const useDifferences = (
  data: CompareData,
  chosen: ChosenModels,
  load: LoadChunk,
): ComparedModels | null | undefined =>
  useLoaded(`${chosen.a} ${chosen.b}`, () => loadDifferences(data, chosen, load))

const loadDifferences = async (
  data: CompareData,
  { a, b }: ChosenModels,
  load: LoadChunk,
): Promise<ComparedModels> => {
  const { models, sources } = data
  if (sources === undefined) return compareModels([])
  const [ofA, ofB, bySource] = await Promise.all(
    [models[a]?.values, models[b]?.values, sources].map((key) => load(key ?? '')),
  )
  return compareModels(
    sharedBenchmarks(data, { a, b }, ofA as ModelValues, ofB as ModelValues, bySource as ScenarioSources),
  )
}

/** The benchmarks that two models share, in the board's order. */
export const sharedBenchmarks = (
  { models, benchmarks, scenarios }: CompareData,
  { a, b }: { readonly a: number; readonly b: number },
  ofA: ModelValues,
  ofB: ModelValues,
  sources: ScenarioSources,
): readonly SharedBenchmark[] =>
  benchmarks.flatMap((benchmark, at) => {
    const runs = scenarios.flatMap(({ key, benchmark: own, unranked, areMeans }, place) => {
      const [left, right] = [ofA[place] ?? 0, ofB[place] ?? 0]
      return own !== at || left === 0 || right === 0
        ? []
        : [
            {
              scenario: key,
              a: unpacked(left),
              b: unpacked(right),
              ...unpackedSources(sources[place] ?? 0),
              areMeans: [areMeans?.[a] === true, areMeans?.[b] === true],
              isRanked: !unranked.includes(a) && !unranked.includes(b),
            },
          ]
    })
    const isUnranked = [a, b].some((model) => models[model]?.unranked.includes(at) !== false)
    return runs.length === 0
      ? []
      : [
          {
            benchmark: `${at} ${benchmark.label}`,
            group: benchmark.category,
            metric: benchmark,
            isRanked: !isUnranked,
            runs,
          },
        ]
  })
