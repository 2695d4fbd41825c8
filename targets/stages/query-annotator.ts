import { dumps, loads } from '../../benchmarks/python/json.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { digestOf, type Digest } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import { keyTemplate } from '../../cache/values/key.ts'
import type { Failure } from '../../cache/outcome.ts'
import { annotateQueries, type QueryAnnotation, type AskDatabase } from '../sql/annotate-queries.ts'
import { queryKey } from '../keys/annotation-key.ts'
import type { Target } from '../record/target.ts'
import type { Annotator, Judgement } from './annotator.ts'
import type { StageEnv } from '../env/env.ts'

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
