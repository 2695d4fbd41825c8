import { numpyChoice } from './numpy-random.ts'

/** HELM's EVAL_SPLITS. */
const EVAL_SPLITS: readonly string[] = ['valid', 'test']

/**
 * HELM's choice of the instances to run (HELM.md B2): all train instances in their order, then the evaluated
 * ones; where these are more than the maximum, a sample of seed 0 in sampled order. Ids stay as they were.
 * Without a maximum all instances are kept, whatever their split.
 */
export const downSample = <T extends { readonly split: string }>(
  instances: readonly T[],
  maxEvalInstances: number | undefined,
  evalSplits: readonly string[] = EVAL_SPLITS,
): readonly T[] => {
  if (maxEvalInstances === undefined) return instances
  const train = instances.filter(({ split }) => split === 'train')
  const evaluated = instances.filter(({ split }) => evalSplits.includes(split))
  if (evaluated.length <= maxEvalInstances) return [...train, ...evaluated]
  const chosen = numpyChoice(evaluated.length, maxEvalInstances, 0)
  return [...train, ...chosen.flatMap((index) => evaluated.slice(index, index + 1))]
}
