import { remembered } from '../../cache/once.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { compareCodePoints } from '../python/text.ts'
import { isCorrect, type Instance } from '../scenario/instance.ts'
import { PythonRandom } from './python-random.ts'
import { numpyChoice } from './numpy-random.ts'

/** A train instance as far as sampling looks at it. */
type Labelled = Pick<Instance, 'split' | 'references'>

/**
 * HELM's choice of the in-context examples of one trial (HELM.md B3), in prompt order. Labels take turns, so
 * that rare ones are shown, too.
 * @param instances those with another split than `train` are passed over
 * @param n `max_train_instances`; with fewer train instances, all are taken
 * @param trial its index seeds the generator
 * @param sampleTrain false takes the trial's slice of the train instances in their order instead
 * @throws ProblemError `benchmarks/in-context-unlabelled` where HELM would loop for ever or fail
 */
export const sampleTrain = <T extends Labelled>(
  instances: readonly T[],
  n: number,
  trial: number,
  sampleTrain: boolean,
): T[] => {
  const train = instances.filter(({ split }) => split === 'train')
  const wanted = Math.min(train.length, n)
  if (!sampleTrain) return train.slice(wanted * trial, wanted * (trial + 1))

  const random = new PythonRandom(trial)
  const { labelled, unlabelled } = groupByLabel(train)
  const chosen = takeTurns(labelled, labelOrder(labelled, random), wanted, random)
  // After the empty label only unlabelled instances are drawn, and Python's sample refuses more than there are.
  if (wanted - chosen.length > unlabelled.length) throw tooFew(wanted, chosen.length + unlabelled.length)
  return [...chosen, ...random.sample(unlabelled, wanted - chosen.length)]
}

interface Groups<T> {
  /** Text of the first correct reference → its instances. */
  readonly labelled: ReadonlyMap<string, T[]>
  readonly unlabelled: readonly T[]
}

const groupByLabel = <T extends Labelled>(train: readonly T[]): Groups<T> => {
  const labelled = new Map<string, T[]>()
  const unlabelled: T[] = []
  for (const instance of train) {
    const label = instance.references.find(isCorrect)?.text
    if (label === undefined) unlabelled.push(instance)
    else remembered(labelled, label, (): T[] => []).push(instance)
  }
  return { labelled, unlabelled }
}

/** Labels of large groups first; those of equally large groups shuffled. */
const labelOrder = (labelled: ReadonlyMap<string, readonly unknown[]>, random: PythonRandom): string[] => {
  const buckets = new Map<number, string[]>()
  for (const label of [...labelled.keys()].sort(compareCodePoints)) {
    const size = labelled.get(label)?.length ?? 0
    buckets.set(size, [...(buckets.get(size) ?? []), label])
  }
  return [...buckets]
    .sort(([a], [b]) => b - a)
    .flatMap(([, labels]) => {
      random.shuffle(labels)
      return labels
    })
}

/** One instance of each label in turn, until enough are taken or the empty label, which HELM stops at, comes up. */
const takeTurns = <T>(
  labelled: ReadonlyMap<string, T[]>,
  labels: readonly string[],
  wanted: number,
  random: PythonRandom,
): T[] => {
  const chosen: T[] = []
  let passed = 0
  for (let turn = 0; chosen.length < wanted; turn++) {
    const label = labels[turn % labels.length]
    if (label === undefined || label === '') break
    const group = labelled.get(label) ?? []
    if (group.length > 0) chosen.push(...group.splice(random.randrange(group.length), 1))
    passed = group.length > 0 ? 0 : passed + 1
    if (passed > labels.length) throw tooFew(wanted, chosen.length)
  }
  return chosen
}

const tooFew = (wanted: number, possible: number): ProblemError =>
  new ProblemError({
    code: 'benchmarks/in-context-unlabelled',
    message: `${wanted} in-context examples are wanted, but the labels of the train instances give only ${possible}`,
    remedy: `set max_train_instances to at most ${possible}, or give each train instance a correct reference that is not empty`,
  })

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
