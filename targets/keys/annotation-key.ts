import { dumps } from '../../benchmarks/python/json.ts'
import type { AnnotatorCode } from '../../benchmarks/scenario/annotator-code.ts'
import type { GoldQueries, ItemGrading, Jury } from '../../benchmarks/scenario/benchmark.ts'
import { digestOf } from '../../cache/values/digest.ts'
import type { Json, JsonObject } from '../../cache/values/json.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import { GRADING_VERSION } from '../jury/grading/read-grade.ts'
import { dialectOf, type Profile } from '../profile.ts'
import type { Target } from '../record/target.ts'
import { QUERIES_VERSION } from '../sql/annotate-queries.ts'
import { cuttingTokenizer } from './completion-key.ts'
import { STAGE_VERSIONS } from './versions.ts'

/** The annotators as a part of a target's key; null where it has none. */
export const annotationKey = (target: Target, profile: Profile): JsonObject | null => {
  const jury = juryKey(target, profile)
  const { queries: declared } = target.spec.benchmark
  const queries = declared === undefined ? null : queryKey(declared.gold)
  const built = jury === null || queries === null ? (jury ?? queries) : { jury, queries }
  const { ownAnnotators: own = [] } = target.spec.benchmark
  return own.length === 0 ? built : { ...built, own: own.map(codeAnnotatorKey) }
}

/** What decides how a judge's reply is read. The reply itself is the other part of a judgement's key. */
export const judgementKey = ({ criteria }: Pick<Jury, 'criteria'>, profile: Profile): JsonObject => ({
  stage: 'annotations',
  version: STAGE_VERSIONS.annotations,
  parser: dialectOf(profile).parser,
  criteria: [...criteria].map(([name, keys]): Json => [name, [...keys]]),
})

/** What decides a workspace's own annotation of an answer. */
export const codeAnnotatorKey = ({ id, digest, args }: AnnotatorCode): JsonObject => ({
  stage: 'annotations',
  version: STAGE_VERSIONS.annotations,
  annotator: id,
  code: digest,
  arguments: dumps(args),
})

/** What decides how graders' replies are read; replies and points are the other parts of such a judgement's key. */
export const gradingKey = ({ style, comparison }: ItemGrading, profile: Profile): JsonObject => ({
  stage: 'annotations',
  version: STAGE_VERSIONS.annotations,
  parser: dialectOf(profile).parser,
  grading: { style, version: GRADING_VERSION, compares: comparison !== undefined },
})

/** What decides how queries are executed; `targetKey` adds the digest of the database. */
export const queryKey = (gold: GoldQueries | undefined): JsonObject => ({
  stage: 'annotations',
  version: STAGE_VERSIONS.annotations,
  annotator: 'queries',
  queries: QUERIES_VERSION,
  ...(gold === undefined ? {} : { gold: { ...gold } }),
})

/** The judges' own keys hold what alters their replies. */
const juryKey = (target: Target, profile: Profile): JsonObject | null => {
  const { jury } = target.spec.benchmark
  if (jury === undefined) return null
  return {
    ...(jury.grading === undefined ? judgementKey(jury, profile) : gradingKey(jury.grading, profile)),
    ...comparedBy(jury),
    rubric: digestOf<'text'>(jury.template),
    scale: [jury.scale.least, jury.scale.most],
    judges: target.judges.map(({ judge, deployment }) => ({
      name: judge.name,
      ...identityOf(deployment),
      ...cutKey(cuttingTokenizer(deployment, profile)),
    })),
  }
}

const cutKey = (tokenizer: string | undefined): JsonObject =>
  tokenizer === undefined ? {} : { cutBy: tokenizer }

const comparedBy = ({ grading }: Jury): JsonObject =>
  grading?.comparison === undefined ? {} : { comparison: digestOf<'text'>(grading.comparison) }
