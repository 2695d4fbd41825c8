import { numberOf, Float } from '../../benchmarks/python/numbers/number.ts'
import { strip } from '../../benchmarks/python/text.ts'
import { isList } from '../../benchmarks/python/kinds.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { InstanceProblem, firstCompletion, flag, share, type BuiltInMetric, floatPoint } from './metric.ts'

const MARK = 'Rating: '

/** How much behind the mark is read. */
const READ = 5

/**
 * The rating that HELM reads: the first five characters behind the first mark, of which every rating counts, written
 * together: `+10` is 10, which no expert can have given. Undefined where that is no number.
 */
const ratingOf = (text: string): number | undefined => {
  const start = text.indexOf(MARK)
  if (start === -1) return undefined
  // Characters are code points, and what is behind a second mark is not read.
  const behind = text.slice(start + MARK.length).split(MARK, 1)[0] ?? ''
  const found = Array.from(behind)
    .slice(0, READ)
    .join('')
    .match(/\+2|\+1|0|-1|-2/g)
    ?.join('')
  return found !== undefined && /^[+-]?\d+$/.test(found) ? Number(found) : undefined
}

/**
 * SCTBenchMetric of medhelm 0.8.0: `sct_score` is the share of the experts that gave the answer's rating over that of
 * the rating most of them gave, `sct_expert_set_membership` whether any did; 0 to 1, higher is better. A reply without a
 * rating scores 0, and so does every reply where no expert gave one.
 * @throws InstanceProblem without the experts' ratings or a completion
 */
export const sctBench: BuiltInMetric = {
  id: 'sct_bench',
  version: '1.0.0',
  source: 'medhelm 0.8.0 SCTBenchMetric',
  className: 'sct_bench_metrics.SCTBenchMetric',
  measures: [
    share('sct_score', {
      better: 'higher',
      displayName: 'Agreement with experts',
      description:
        'Share of the experts who gave the same rating over that of the rating that most of them gave.',
    }),
    flag('sct_expert_set_membership', {
      better: 'higher',
      displayName: 'Rating given by any expert',
      shortDisplayName: 'Any expert',
      description: 'Share of the ratings that at least one expert gave.',
    }),
  ],
  lead: { as: 'made for the benchmark', name: () => 'sct_score' },
  reads: ['instance', 'completions'],
  evaluate: (state) => {
    const experts = expertsOf(state.instance.extraData?.get('expert_distribution') ?? null, state.instance.id)
    const rating = ratingOf(strip(firstCompletion(state).text))
    const alike = rating === undefined ? 0 : (experts[rating + 2] ?? 0)
    const most = Math.max(...experts)
    return [
      floatPoint('sct_score', most > 0 ? alike / most : 0),
      floatPoint('sct_expert_set_membership', alike > 0 ? 1 : 0),
    ]
  },
}

const expertsOf = (value: PyValue, id: string | number): readonly number[] => {
  const given = isList(value) ? value : []
  const numbers = given.flatMap((each) =>
    typeof each === 'number' || each instanceof Float ? [numberOf(each)] : [],
  )
  if (numbers.length === 5) return numbers
  throw new InstanceProblem({
    code: 'targets/no-reference',
    message: `instance ${JSON.stringify(id)} does not say how the experts rated it`,
    remedy: 'Give every instance the five numbers of expert_distribution.',
  })
}
