import { allEnded } from '../../../cache/lists.ts'
import type { Access, Jury } from '../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import type { Failure } from '../../../cache/problems/problem.ts'
import { isRemote } from '../../../models/clients/create-client.ts'
import { discreetDetail } from '../../access/discreet-texts.ts'
import { envFor, type SharedEnv } from '../../env/env.ts'
import { judgeScores } from '../../jury/judge-scores.ts'
import type { JudgeVerdict } from '../../jury/study/repeats.ts'
import { dialectOf, type Profile } from '../../profile.ts'
import type { Target } from '../../record/target.ts'
import { type Judgement, openJudges } from '../../stages/judge.ts'

/** What became of one asking: a verdict, a reply that could not be read, or no reply at all. */
export interface Repeat {
  readonly verdict: JudgeVerdict
  /** Why no reply came; it may come on a rerun. */
  readonly failure?: Failure
}

/** One judge of a benchmark, asked the same several times. */
export interface RepeatedJudge {
  readonly name: string
  /** Calls still to be made: replies that are not in the store yet. None of an embedded model. */
  missing(instance: Instance, answer: string, repeats: number): readonly Digest<'completion'>[]
  /** By repeat. The first is the run's own judgement. */
  ask(instance: Instance, answer: string, repeats: number): Promise<readonly Repeat[]>
}

/** The judges of a target, asked again: each asking is kept and paid for once. */
export const repeatedJudges = async (
  target: Target,
  jury: Jury,
  shared: SharedEnv,
): Promise<readonly RepeatedJudge[]> => {
  const { access } = target.spec.benchmark
  const env = await envFor(target.spec.benchmark, shared)
  const judges = await openJudges(target, jury, env)
  return judges.map(({ name, ask, peek }, index): RepeatedJudge => {
    const deployment = target.judges[index]?.deployment
    const isAsked = deployment !== undefined && isRemote(deployment)
    return {
      name,
      missing: (instance, answer, repeats) =>
        samples(isAsked ? repeats : 0).flatMap((sample) => {
          const { digest, cached } = peek(instance, answer, sample)
          return cached ? [] : [digest]
        }),
      ask: async (instance, answer, repeats) =>
        allEnded(
          samples(repeats).map(async (sample) =>
            repeatOf(await ask(instance, answer, sample), env.profile, access),
          ),
        ),
    }
  })
}

const samples = (count: number): readonly number[] => Array.from({ length: count }, (_, sample) => sample)

const repeatOf = ({ outcome, retriable }: Judgement, profile: Profile, access: Access): Repeat => {
  if (retriable && outcome.kind === 'failed')
    return {
      verdict: undefined,
      failure: { ...outcome.cause, detail: discreetDetail(outcome.cause, access) },
    }
  if (outcome.kind !== 'done' || !(outcome.value instanceof Map)) return { verdict: undefined }
  const numbers = judgeScores(outcome.value, dialectOf(profile).scores)
  if (numbers.kind !== 'done' || numbers.value.length === 0) return { verdict: undefined }
  return {
    verdict: new Map([...outcome.value.keys()].map((name, index) => [name, numbers.value[index] ?? NaN])),
  }
}
