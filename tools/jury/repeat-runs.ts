import { allEnded } from '../../cache/lists.ts'
import { remembered } from '../../cache/once.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { TARGET_RELIABILITY } from '../../targets/jury/study/judge-agreement.ts'
import { gStudy, type GStudy } from '../../targets/statistics/judges/g-study.ts'
import { meanOf } from '../../targets/statistics/mean.ts'
import {
  measureRepeats,
  type RepeatStability,
  type RepeatedVerdicts,
} from '../../targets/jury/study/repeats.ts'
import { sourceOf } from '../../targets/statistics/scale.ts'
import { repeatedJudges, type Repeat, type RepeatedJudge } from '../../targets/walk/modes/repeat.ts'
import { isJudged } from '../../targets/stages/judge.ts'
import { answerOf } from '../../targets/stages/reply-reader.ts'
import type { Session } from '../session/session.ts'
import { askEach, callsByJudge, type JudgeFailure } from './ask-each.ts'
import type { JudgedTarget } from './judged-runs.ts'

/** A run's judged answers with the judges to ask again. */
export interface RepeatedAnswers {
  readonly benchmark: string
  /** Digest of its record. */
  readonly record: string
  readonly judges: readonly RepeatedJudge[]
  readonly answers: readonly { readonly instance: Instance; readonly answer: string }[]
  /** The source of each instance that shares one, by id. */
  readonly sources: ReadonlyMap<string, string>
}

export interface RepeatCount {
  readonly repeats: number
  /** Only the first so many judged answers of each run. */
  readonly instances?: number
}

export const repeatRun = async (
  { target, jury, view, digest, sources }: JudgedTarget,
  { instances = Infinity }: RepeatCount,
  { env }: Pick<Session, 'env'>,
): Promise<RepeatedAnswers> => ({
  benchmark: target.spec.benchmark.runName,
  record: digest,
  judges: await repeatedJudges(target, jury, env),
  answers: judgedAnswers(view, instances),
  sources,
})

/** The first answers of a run that a jury was asked about. */
export const judgedAnswers = (view: JudgedTarget['view'], most: number): RepeatedAnswers['answers'] => {
  const answers: RepeatedAnswers['answers'][number][] = []
  for (const { instance, result } of view.states()) {
    if (answers.length >= most) break
    const answer = result === undefined ? '' : answerOf({ kind: 'done', value: result })
    if (isJudged(answer)) answers.push({ instance, answer })
  }
  return answers
}

/** Calls that are still to be made, by judge. */
export const countCalls = (
  runs: readonly RepeatedAnswers[],
  { repeats }: RepeatCount,
): ReadonlyMap<string, number> =>
  callsByJudge(
    runs.flatMap(({ judges, answers }) =>
      judges.map((judge) => [
        judge.name,
        answers.flatMap(({ instance, answer }) => judge.missing(instance, answer, repeats)),
      ]),
    ),
  )

/** A judge's stability over all answers of a benchmark, whichever model gave them. */
export interface JudgeRepeats extends RepeatStability {
  readonly benchmark: string
  readonly judge: string
}

export interface Repeated {
  readonly judges: readonly JudgeRepeats[]
  /** Variance components by benchmark, over answers that every judge scored each time; null with fewer than two. */
  readonly studies: readonly {
    readonly benchmark: string
    readonly answers: number
    readonly study: GStudy | null
  }[]
  /** Replies that did not come, by judge; what is compared is without their answers. */
  readonly failures: readonly JudgeFailure[]
}

/** Asks what is not in the store, in order of runs and answers. Undefined when it was stopped on the way. */
export const askRepeats = async (
  runs: readonly RepeatedAnswers[],
  { repeats }: RepeatCount,
  { env }: Pick<Session, 'env'>,
): Promise<Repeated | undefined> => {
  const verdicts = new Map<string, { benchmark: string; judge: string; answers: RepeatedVerdicts[] }>()
  const failures: JudgeFailure[] = []
  const cells = new Map<string, (readonly (readonly number[])[])[]>()
  const take = (
    { benchmark, judge, source }: Record<'benchmark' | 'judge' | 'source', string>,
    replies: readonly Repeat[],
  ): void => {
    const lost = replies.flatMap(({ failure }) => failure ?? [])
    failures.push(...lost.map((cause) => ({ judge, cause })))
    if (lost.length > 0) return
    const key = JSON.stringify([benchmark, judge])
    const known = remembered(verdicts, key, () => ({ benchmark, judge, answers: [] }))
    known.answers.push({ source, verdicts: replies.map(({ verdict }) => verdict) })
  }
  for (const { benchmark, judges, answers, sources } of runs) {
    const isWhole = await askEach(
      answers,
      ({ instance, answer }) => allEnded(judges.map((judge) => judge.ask(instance, answer, repeats))),
      (replies, { instance }) => {
        const id = String(instance.id)
        const source = sourceOf(id, sources.get(id))
        for (const [index, judge] of judges.entries())
          take({ benchmark, judge: judge.name, source }, replies[index] ?? [])
        const whole = wholeCell(replies)
        const known = remembered(cells, benchmark, () => [])
        if (whole !== undefined) known.push(whole)
      },
      env.stop,
    )
    if (!isWhole) return undefined
  }
  return {
    judges: [...verdicts.values()].map(({ benchmark, judge, answers }) => ({
      benchmark,
      judge,
      ...measureRepeats(answers),
    })),
    studies: [...cells].map(([benchmark, scores]) => ({
      benchmark,
      answers: scores.length,
      study: scores.length < 2 || (scores[0]?.length ?? 0) < 2 ? null : gStudy(scores, TARGET_RELIABILITY),
    })),
    failures,
  }
}

/** An answer's mean scores by judge and repeat; undefined where one is missing. */
const wholeCell = (replies: readonly (readonly Repeat[])[]): readonly (readonly number[])[] | undefined => {
  const scores = replies.map((own) =>
    own.flatMap(({ verdict }) =>
      verdict === undefined || verdict.size === 0 ? [] : [meanOf([...verdict.values()])],
    ),
  )
  return scores.every(({ length }, judge) => length === replies[judge]?.length) ? scores : undefined
}
