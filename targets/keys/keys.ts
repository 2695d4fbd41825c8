import { numberOf } from '../../benchmarks/python/numbers/number.ts'
import {
  digestJson,
  type Digest,
  canonicalJson,
  keyTemplate,
  type KeyTemplate,
  digestOf,
} from '../../cache/values/digest.ts'
import type { JsonObject, Json } from '../../cache/values/json.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import { metricFor } from '../metrics/catalog.ts'
import { type Profile, dialectOf } from '../profile.ts'
import type { Target } from '../record/target.ts'
import type {
  Benchmark,
  GoldQueries,
  ItemGrading,
  Jury,
  MetricSpec,
} from '../../benchmarks/scenario/benchmark.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import { asJson } from '../../cache/stored-shape.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { dumps } from '../../benchmarks/python/dumps.ts'
import type { AnnotatorCode, MetricCode } from '../../benchmarks/scenario/metric-code.ts'
import { GRADING_VERSION } from '../jury/grading/read-grade.ts'
import { QUERIES_VERSION } from '../sql/annotate-queries.ts'
import type { Metric } from '../metrics/metric.ts'
import { remembered } from '../../cache/once.ts'

/**
 * Semantic versions of the stages, part of their keys. Raise one by hand whenever that stage's results change for the
 * same input; the golden tests fail when results change and the version does not.
 */
export const STAGE_VERSIONS = {
  instances: '5',
  prompts: '1',
  completions: '1',
  annotations: '1',
  record: '7',
} as const

/**
 * Everything that can alter a target's record, readable and grouped by stage: `explain` compares two of these.
 * Making one costs a stat per data file; no data is read.
 */
export interface TargetKey {
  readonly key: JsonObject
  readonly digest: Digest<'target'>
}

export const targetKey = async (target: Target, profile: Profile): Promise<TargetKey> => {
  const instances = await instancesKey(target.spec.benchmark)
  const declared = declarationKey(target, profile)
  const key = { instances, ...declared, ...(await databaseKey(target, declared)) }
  return { key, digest: digestJson<'target'>(key) }
}

/** The database that queries run on is data, too, though no question depends on it. */
const databaseKey = async (
  { spec }: Target,
  { annotations }: { readonly annotations: JsonObject | null },
): Promise<JsonObject> => {
  const database = await spec.benchmark.queries?.locate()
  return database === undefined ? {} : { annotations: { ...annotations, database: database.digest } }
}

/** The part of the key that declarations alone decide: it touches no data, so the build graph can use it offline. */
export const declarationKey = (
  target: Target,
  profile: Profile,
): JsonObject & { readonly annotations: JsonObject | null } => {
  const { spec, deployment } = target
  const { adapter } = spec
  const metrics = spec.metrics.map((metric) => metricKey(metricFor(metric), metric, adapter, profile))
  return {
    stage: 'record',
    version: STAGE_VERSIONS.record,
    name: spec.name,
    profile,
    ...(spec.benchmark.errata === undefined ? {} : { errata: { ...spec.benchmark.errata } }),
    sampling: {
      maxEvalInstances: adapter.maxEvalInstances ?? null,
      evalSplits: adapter.evalSplits ?? null,
      maxTrainInstances: adapter.maxTrainInstances,
      numTrainTrials: adapter.numTrainTrials,
      sampleTrain: adapter.sampleTrain,
    },
    prompts: promptKey(adapter, deployment, profile),
    completions: {
      version: STAGE_VERSIONS.completions,
      ...identityOf(deployment),
      temperature: numberOf(adapter.temperature),
      maxTokens: adapter.maxTokens,
      stopSequences: adapter.stopSequences,
      numOutputs: adapter.numOutputs,
      random: adapter.random ?? null,
    },
    annotations: annotationKey(target, profile),
    metrics,
  }
}

/** What decides a benchmark's instances: its declaration's version, arguments, loader, corrections, digests of its data. */
export const instancesKey = async (benchmark: Benchmark): Promise<JsonObject> => ({
  stage: 'instances',
  version: STAGE_VERSIONS.instances,
  ...(await benchmark.identity()),
})

/** Digest of the files in a benchmark's key: equal ones hold the same rows. Undefined where it reads none. */
export const dataDigest = ({ data = null }: JsonObject): string | undefined =>
  data === null || Object.keys(data).length === 0 ? undefined : digestJson(data)

/** What of an adapter shapes a prompt; the answer's sampling is not in it. */
const promptFields = (adapter: AdapterSpec): JsonObject => ({
  method: adapter.method,
  globalPrefix: adapter.globalPrefix,
  globalSuffix: adapter.globalSuffix,
  instructions: adapter.instructions,
  inputPrefix: adapter.inputPrefix,
  inputSuffix: adapter.inputSuffix,
  referencePrefix: adapter.referencePrefix,
  referencePrefixCharacters: adapter.referencePrefixCharacters ?? null,
  referenceSuffix: adapter.referenceSuffix,
  outputPrefix: adapter.outputPrefix,
  outputSuffix: adapter.outputSuffix,
  instancePrefix: adapter.instancePrefix,
  substitutions: adapter.substitutions,
  multiLabel: adapter.multiLabel,
})

/** What of a deployment shapes a prompt; the answer's length counts only where there is a window to share. */
export const windowKey = (deployment: ModelDeployment, maxTokens: number): JsonObject => {
  const length = deployment.maxRequestLength ?? deployment.maxSequenceLength
  const { tokenizerName: tokenizer, tokenizerFiles: files } = deployment
  if (tokenizer === undefined) return { tokenizer: null }
  return {
    tokenizer,
    ...(files === undefined ? {} : { files: files.digest }),
    ...(length === undefined ? {} : { maxRequestLength: length, maxTokens }),
  }
}

export const promptKey = (
  adapter: AdapterSpec,
  deployment: ModelDeployment,
  profile: Profile,
): JsonObject => ({
  stage: 'prompts',
  version: STAGE_VERSIONS.prompts,
  adapter: promptFields(adapter),
  ...(adapter.method === 'chat' && dialectOf(profile).countsChats ? { chats: 'counted' } : {}),
  window: windowKey(deployment, adapter.maxTokens),
})

/**
 * Everything that can alter an answer is in the key (deployment identity, model string, messages, sampling, sample index);
 * nothing else is: no URL, key, timeout, retry policy, concurrency, price or code hash.
 */
export const completionKey = (
  deployment: ModelDeployment,
): KeyTemplate<'messages' | 'sampling', 'completion'> =>
  keyTemplate<'messages' | 'sampling', 'completion'>(
    { stage: 'completions', version: STAGE_VERSIONS.completions, ...identityOf(deployment) },
    ['messages', 'sampling'],
  )

interface CompletionParts extends Readonly<Record<string, string>> {
  readonly messages: string
  readonly sampling: string
}

/** The judges of a jury are asked by one request, and each of its texts is long. */
const known = new WeakMap<CompletionRequest, CompletionParts>()

export const completionParts = (request: CompletionRequest): CompletionParts =>
  remembered(known, request, () => {
    const { messages, ...sampling } = request
    return { messages: digestJson<'text'>(asJson(messages)), sampling: canonicalJson(sampling) }
  })

/**
 * Name, and digest of the files where it has any, of the tokenizer by which the profile cuts a deployment's replies;
 * undefined where it leaves them as they are: only clients of chat servers cut (HELM.md T10).
 */
export const cuttingTokenizer = (deployment: ModelDeployment, profile: Profile): string | undefined =>
  dialectOf(profile).retokenizes && identityOf(deployment).protocol === 'chat'
    ? [deployment.tokenizerName ?? '', deployment.tokenizerFiles?.digest ?? []].flat().join('@')
    : undefined

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

/** The adapter fields that metrics read. */
const adapterFields = ({
  method,
  numOutputs,
  numTrainTrials,
  outputMappingPattern,
}: AdapterSpec): JsonObject => ({
  method,
  numOutputs,
  numTrainTrials,
  outputMappingPattern: outputMappingPattern ?? null,
  ...(outputMappingPattern === undefined ? {} : { patterns: PATTERNS }),
})

/** Raised when a pattern finds something else in an answer. */
const PATTERNS = 3

/** The metric as a part of a key; profile and corrections only where they alter its values. */
export const metricKey = (
  metric: Metric,
  spec: MetricSpec,
  adapter: AdapterSpec,
  profile: Profile,
): JsonObject => ({
  stage: 'metrics',
  metric: metric.id,
  version: metric.version,
  args: digestOf<'text'>(
    dumps(spec.code === undefined ? spec.helm.args : (spec.helm.args.get('args') ?? null)),
  ),
  adapter: adapterFields(adapter),
  ...(spec.bertScore === undefined ? {} : { bertScore: spec.bertScore }),
  ...(metric.dialects === true ? { profile } : {}),
  ...(spec.code === undefined ? {} : { code: spec.code.digest, measures: measured(spec.code) }),
  ...correctedKey(metric, spec),
})

/** Names and numbers of its measures; how they are shown decides nothing. */
const measured = ({ measures }: MetricCode): Json =>
  measures.map(({ name, unit, least, most }) => ({ name, unit, least, most }))

const correctedKey = ({ corrects = [] }: Metric, { corrected = [] }: MetricSpec): JsonObject => {
  const own = corrected.filter((id) => corrects.includes(id))
  return own.length === 0 ? {} : { corrected: own }
}
