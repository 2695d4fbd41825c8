import { allEnded } from '../../cache/lists.ts'
import { remembered } from '../../cache/once.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { probeEffect, type ProbedAnswer, type ProbeEffect } from '../../targets/jury/probe-effects.ts'
import { alterText, turnCriteria, type Probe } from '../../targets/jury/study/probes.ts'
import { meanOf } from '../../targets/statistics/mean.ts'
import { repeatedJudges, type Repeat, type RepeatedJudge } from '../../targets/walk/modes/repeat.ts'
import type { Session } from '../session/session.ts'
import { sourceOf } from '../../targets/statistics/scale.ts'
import { askEach, callsByJudge, type JudgeFailure } from './ask-each.ts'
import type { JudgedTarget } from './judged-runs.ts'
import { judgedAnswers } from './repeat-runs.ts'

/** One alteration of one run's answers, with the judges that read it. */
interface ProbedAnswers {
  readonly benchmark: string
  readonly probe: Probe
  readonly scale: readonly [number, number]
  /** As the run has them, and as they read what is altered: other than `plain` where the rubric is. */
  readonly plain: readonly RepeatedJudge[]
  readonly altered: readonly RepeatedJudge[]
  readonly texts: readonly {
    readonly before: { readonly instance: Instance; readonly answer: string }
    readonly after: { readonly instance: Instance; readonly answer: string }
    /** The instance's, else the instance itself: answers of several models to one question are no independent evidence. */
    readonly source: string
  }[]
}

/** The run's first judged answers under each alteration; those that a run does not allow have no texts. */
export const probeRuns = async (
  run: JudgedTarget,
  probes: readonly Probe[],
  { instances, session: { env } }: { readonly instances: number; readonly session: Pick<Session, 'env'> },
): Promise<readonly ProbedAnswers[]> => {
  const { target, jury, view, sources } = run
  const { benchmark } = target.spec
  const answers = judgedAnswers(view, instances)
  const plain = await repeatedJudges(target, jury, env)
  const turned = turnCriteria(jury)
  const found: ProbedAnswers[] = []
  for (const probe of probes)
    found.push({
      benchmark: benchmark.runName,
      probe,
      scale: [jury.scale.least, jury.scale.most],
      plain,
      altered: probe === 'turned' && turned !== undefined ? await repeatedJudges(target, turned, env) : plain,
      texts:
        probe === 'turned' && turned === undefined
          ? []
          : answers.flatMap((before, index) => {
              const other = answers[(index + 1) % answers.length]?.answer ?? before.answer
              const id = String(before.instance.id)
              const after = alterText(probe, before, other)
              return after === undefined ? [] : [{ before, after, source: sourceOf(id, sources.get(id)) }]
            }),
    })
  return found
}

/** Calls that are still to be made, by judge. */
export const countProbeCalls = (runs: readonly ProbedAnswers[]): ReadonlyMap<string, number> =>
  callsByJudge(
    runs.flatMap(({ altered, plain, texts }) =>
      (
        [
          [plain, 'before'],
          [altered, 'after'],
        ] as const
      ).flatMap(([judges, side]) =>
        judges.map(
          (judge) =>
            [
              judge.name,
              texts.flatMap((text) => judge.missing(text[side].instance, text[side].answer, 1)),
            ] as const,
        ),
      ),
    ),
  )

interface Probed {
  readonly effects: readonly ProbeEffect[]
  readonly failures: readonly JudgeFailure[]
}

/** Asks what is not in the store. Undefined when it was stopped on the way. */
export const askProbes = async (
  runs: readonly ProbedAnswers[],
  { env }: Pick<Session, 'env'>,
): Promise<Probed | undefined> => {
  const failures: JudgeFailure[] = []
  const cells = new Map<
    string,
    { readonly run: ProbedAnswers; readonly judge: string; readonly answers: ProbedAnswer[] }
  >()
  for (const run of runs) {
    const { plain, altered, texts } = run
    const isWhole = await askEach(
      texts,
      ({ before, after }) =>
        allEnded(
          plain.map((judge, place) =>
            allEnded([
              judge.ask(before.instance, before.answer, 1),
              (altered[place] ?? judge).ask(after.instance, after.answer, 1),
            ]),
          ),
        ),
      (replies, { source }) => {
        for (const [place, judge] of plain.entries()) {
          const sides = (replies[place] ?? []).map(([reply]) => reply)
          for (const cause of sides.flatMap((reply) => reply?.failure ?? []))
            failures.push({ judge: judge.name, cause })
          const key = JSON.stringify([run.benchmark, run.probe, judge.name])
          const cell = remembered(cells, key, () => ({ run, judge: judge.name, answers: [] }))
          const [before, after] = sides.map((reply) => meanScore(reply, run.scale))
          if (before !== undefined && after !== undefined) cell.answers.push({ before, after, source })
        }
      },
      env.stop,
    )
    if (!isWhole) return undefined
  }
  return {
    effects: [...cells.values()].map(({ run: { benchmark, probe, scale }, judge, answers }) =>
      probeEffect({ benchmark, probe, judge }, answers, scale),
    ),
    failures,
  }
}

/** Undefined where a score is missing or off the scale. */
const meanScore = (
  reply: Repeat | undefined,
  [least, most]: readonly [number, number],
): number | undefined => {
  const scores = [...(reply?.verdict?.values() ?? [])]
  return scores.length === 0 || scores.some((score) => score < least || score > most)
    ? undefined
    : meanOf(scores)
}
