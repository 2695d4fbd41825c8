import { allEnded } from '../../cache/lists.ts'
import type { Target } from '../record/target.ts'
import {
  isJudged,
  nothingToJudge,
  type Annotator,
  type Judgement,
  openJudges,
  judgeRequest,
  juryPrompt,
} from './judge.ts'
import type { StageEnv } from '../env/env.ts'
import { codeAnnotator } from './code-annotator.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { annotationOf, emptyAnnotation } from '../jury/stored-judgements.ts'
import { gradingAnnotator } from './grading-annotator.ts'
import { loads } from '../../benchmarks/python/json.ts'
import { dumps } from '../../benchmarks/python/dumps.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { digestOf, type Digest, keyTemplate } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import type { Failure } from '../../cache/problems/problem.ts'
import { annotateQueries, type QueryAnnotation, type AskDatabase } from '../sql/annotate-queries.ts'
import { queryKey } from '../keys/keys.ts'

/** How many judgements an answer of this target gets: columns of its record. */
export const annotationColumns = ({ judges, spec }: Target): number =>
  judges.length + (spec.benchmark.queries === undefined ? 0 : 1) + (spec.benchmark.ownAnnotators?.length ?? 0)

/** All annotators of a target as one, the judges' columns first; undefined where it has none. */
export const createAnnotationStage = async (
  target: Target,
  env: StageEnv,
): Promise<Annotator | undefined> => {
  const all = [
    await juryAnnotator(target, env),
    await queryAnnotator(target, env),
    ...(target.spec.benchmark.ownAnnotators ?? []).map((code) => codeAnnotator(code, env)),
  ]
  const annotators = all.filter((annotator) => annotator !== undefined)
  return annotators.length < 2 ? annotators[0] : combine(annotators)
}

const combine = (annotators: readonly Annotator[]): Annotator => ({
  columns: annotators.reduce((sum, { columns }) => sum + columns, 0),
  run: async (instance, answer) =>
    (await allEnded(annotators.map((annotator) => annotator.run(instance, answer)))).flat(),
  peek: (instance, answer) => annotators.flatMap((annotator) => annotator.peek(instance, answer)),
  missing: (instance, answer) =>
    annotators.flatMap(
      (annotator) =>
        annotator.missing?.(instance, answer) ?? Array.from({ length: annotator.columns }, () => []),
    ),
  assemble: (instance, answer, digests) => {
    let first = 0
    const parts = annotators.map((annotator) => {
      const own = digests.slice(first, (first += annotator.columns))
      return [...annotator.assemble(instance, answer, own)]
    })
    return new Map(parts.flat())
  },
})

/** The benchmark's jury; undefined where it has none. */
const juryAnnotator = async (target: Target, env: StageEnv): Promise<Annotator | undefined> => {
  const { jury } = target.spec.benchmark
  if (jury === undefined) return undefined
  const { grading } = jury
  if (grading !== undefined) return gradingAnnotator(target, { ...jury, grading }, env)
  const judges = await openJudges(target, jury, env)
  return {
    columns: judges.length,
    run: async (instance, answer) =>
      isJudged(answer)
        ? allEnded(judges.map((judge) => judge.ask(instance, answer)))
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

/** Runs the gold and the predicted query of a benchmark that has a database; undefined where it has none. */
export const queryAnnotator = async (target: Target, env: StageEnv): Promise<Annotator | undefined> => {
  const { queries } = target.spec.benchmark
  if (queries === undefined) return undefined
  const { annotator: name } = queries
  const database = await queries.locate()
  const template = keyTemplate<'instance' | 'answer', 'annotation'>(
    { ...queryKey(queries.gold), database: database.digest },
    ['instance', 'answer'],
  )
  const keyOf = ({ references, extraData }: Instance, answer: string): Digest<'annotation'> =>
    template.digest({
      instance: digestOf<'text'>(dumps([references.map(({ text }) => text), extraData ?? null])),
      answer: digestOf<'text'>(dumps(answer)),
    })
  const run: AskDatabase = async (sql, milliseconds) => {
    const started = performance.now()
    const outcome = await env.sqlBox(database).query(sql, milliseconds)
    return { outcome, elapsed: performance.now() - started }
  }
  return {
    columns: 1,
    run: async (instance, answer) => {
      const digest = keyOf(instance, answer)
      const known = load(digest, env)
      if (known !== undefined) return [judgementOf(name, digest, known, true)]
      const made = await annotateQueries(instance, answer, run, queries.gold)
      await env.store.put('annotations', digest, pack(made))
      return [judgementOf(name, digest, made, false)]
    },
    peek: (instance, answer) => {
      const digest = keyOf(instance, answer)
      const isStored = env.store.has('annotations', digest)
      return [{ isKnown: isStored, digest, isStored }]
    },
    assemble: (_instance, _answer, [digest]) => {
      const annotation = digest && load(digest, env)?.annotation
      return new Map<string, PyValue>(annotation === undefined ? [] : [[name, annotation]])
    },
  }
}

const judgementOf = (
  judge: string,
  digest: Digest<'annotation'>,
  { annotation, failure }: QueryAnnotation,
  cached: boolean,
): Judgement => ({
  judge,
  outcome:
    failure === undefined ? { kind: 'done', value: annotation ?? null } : { kind: 'failed', cause: failure },
  retriable: false,
  digest,
  cached,
})

const pack = ({ annotation, failure }: QueryAnnotation): Json => ({
  ...(annotation === undefined ? {} : { annotation: dumps(annotation) }),
  ...(failure === undefined ? {} : { failure: { ...failure } }),
})

const load = (digest: Digest<'annotation'>, env: StageEnv): QueryAnnotation | undefined => {
  const stored = env.store.get('annotations', digest) as
    | { annotation?: string; failure?: Failure }
    | undefined
  if (stored === undefined) return undefined
  const { annotation, failure } = stored
  return {
    ...(annotation === undefined ? {} : { annotation: loads(annotation) as ReadonlyMap<string, PyValue> }),
    ...(failure === undefined ? {} : { failure }),
  }
}
