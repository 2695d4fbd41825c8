import type { PyValue } from '../../benchmarks/python/value.ts'
import { annotationOf, emptyAnnotation } from '../jury/annotation.ts'
import type { Target } from '../record/target.ts'
import { isJudged, nothingToJudge, type Annotator } from './annotator.ts'
import type { StageEnv } from '../env/env.ts'
import { gradingAnnotator } from './grading-annotator.ts'
import { openJudges } from './judge.ts'
import { judgeRequest, juryPrompt } from './judge-request.ts'

/** The benchmark's jury; undefined where it has none. */
export const juryAnnotator = async (target: Target, env: StageEnv): Promise<Annotator | undefined> => {
  const { jury } = target.spec.benchmark
  if (jury === undefined) return undefined
  const { grading } = jury
  if (grading !== undefined) return gradingAnnotator(target, { ...jury, grading }, env)
  const judges = await openJudges(target, jury, env)
  return {
    columns: judges.length,
    run: async (instance, answer) =>
      isJudged(answer)
        ? Promise.all(judges.map((judge) => judge.ask(instance, answer)))
        : judges.map(({ name }) => nothingToJudge(name)),
    peek: (instance, answer) =>
      judges.map((judge) =>
        isJudged(answer) ? judge.peekJudgement(instance, answer) : { isKnown: true, isStored: false },
      ),
    missing: (instance, answer) => {
      const request = judgeRequest(juryPrompt(jury, instance, answer ?? ''))
      const isAsked = answer === undefined || isJudged(answer)
      return judges.map(({ peek }) =>
        isAsked && (answer === undefined || !peek(instance, answer).cached) ? [request] : [],
      )
    },
    assemble: (instance, answer, digests) => {
      if (!isJudged(answer)) return new Map([[jury.annotator, emptyAnnotation()]])
      const judged = judges.flatMap(({ name, load }, index): [string, PyValue][] => {
        const digest = digests[index]
        const parsed = digest === undefined ? undefined : load(digest)
        return parsed?.kind === 'done' ? [[name, parsed.value]] : []
      })
      return new Map([[jury.annotator, annotationOf(juryPrompt(jury, instance, answer), judged)]])
    },
  }
}
