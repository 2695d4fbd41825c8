import { strip } from '../../benchmarks/python/text.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { annotationOf, emptyAnnotation } from '../jury/annotation.ts'
import type { Target } from '../record/target.ts'
import type { Annotator, Judgement } from './annotator.ts'
import type { StageEnv } from '../env/env.ts'
import { openJudges } from './judge.ts'
import { juryPrompt } from './judge-request.ts'

/** Whether a jury is asked about an answer: one of blanks only has nothing to judge. */
export const isJudged = (answer: string): boolean => strip(answer) !== ''

/** The benchmark's jury; undefined where it has none. */
export const juryAnnotator = async (target: Target, env: StageEnv): Promise<Annotator | undefined> => {
  const { jury } = target.spec.benchmark
  if (jury === undefined) return undefined
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

const nothingToJudge = (judge: string): Judgement => ({
  judge,
  outcome: { kind: 'absent', reason: 'empty answer' },
  retriable: false,
  cached: true,
})
