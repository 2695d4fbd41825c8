import { join } from 'node:path'
import { defined } from '../../../cache/values/defined.ts'
import type { AdapterMethod, AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark, Jury } from '../../../benchmarks/scenario/benchmark.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Digest } from '../../../cache/values/digest.ts'
import { WORKSPACE_CLIENTS } from '../../../models/clients/code/client-file.ts'
import { settingsArguments } from '../../../models/clients/chat/call-settings.ts'
import type { DeploymentIdentity } from '../../../models/clients/create-client.ts'
import { fromLocalIdentity } from '../../../models/local/identity.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { Target } from '../../../targets/record/target.ts'
import { readRunSpec, readScenario } from '../../helm/read-run.ts'
import type { HelmRunSpec } from '../../helm/forms/run-spec.ts'
import { GET_AGAIN } from '../bad-release.ts'
import type { OwnCode } from './own-code.ts'
import type { Databases } from './query-databases.ts'
import { runPath, type CardDeployment, type RunCard } from '../run-card.ts'

const CLASSES: Readonly<
  Record<Exclude<DeploymentIdentity['protocol'], 'local' | 'code'>, { className: string; argument: string }>
> = {
  chat: { className: 'medmake.chat', argument: 'model' },
  baseline: { className: 'medmake.baseline', argument: 'name' },
  simple: { className: 'medmake.simple', argument: 'model' },
}

/** A deployment with that identity that nothing need declare: its replies are found, it can't be called. */
export const placeholderDeployment = (
  { deployment, tokenizer, ...identity }: CardDeployment,
  modelName: string,
): ModelDeployment => ({
  name: deployment,
  modelName,
  ...(tokenizer === null ? {} : { tokenizerName: tokenizer }),
  ...clientOf(identity),
  deprecated: false,
  limits: {},
  file: '',
})

const clientOf = ({
  protocol,
  modelString,
  local,
  ...settings
}: Omit<DeploymentIdentity, 'deployment'>): Pick<ModelDeployment, 'client' | 'weights' | 'code'> => {
  if (protocol === 'local') {
    if (local !== undefined) return fromLocalIdentity(modelString, local)
    throw new ProblemError({
      code: 'release/bad-record',
      message: `the record of the local model ${modelString} does not say which files it had`,
      remedy: GET_AGAIN,
    })
  }
  if (protocol === 'code') {
    const { arguments: args = {}, code = '' } = settings
    const className = `${WORKSPACE_CLIENTS}released`
    return {
      // A model is among them where one was given; else it is the deployment's name here, too.
      client: { className, args },
      code: { file: '', digest: code as Digest<'code'> },
    }
  }
  const { className, argument } = CLASSES[protocol]
  return { client: { className, args: { [argument]: modelString, ...settingsArguments(settings) } } }
}

const METHODS: ReadonlySet<string> = new Set<AdapterMethod>(['generation', 'multiple_choice_joint', 'chat'])

const adapterOf = ({ name, adapterSpec }: HelmRunSpec): AdapterSpec => {
  const { method, imageGenerationParameters: _image, reevalParameters: _reeval, ...adapter } = adapterSpec
  if (METHODS.has(method)) return { ...adapter, method: method as AdapterMethod }
  throw new ProblemError({
    code: 'release/unknown-method',
    message: `${name} was adapted by the method ${method}, which has no counterpart here`,
    where: { field: 'adapter_spec.method' },
    remedy: `Methods: ${[...METHODS].join(', ')}.`,
  })
}

/** What a release lacks and this workspace has. */
export interface Lent {
  /** On which answers are executed. */
  readonly databases: Databases
  readonly code: OwnCode | undefined
}

/** A run of a release as a target whose benchmark need not be here: its data stays unread, its requests are known. */
export const releasedTarget = async (
  bundle: string,
  card: RunCard,
  { databases, code }: Lent,
): Promise<Target> => {
  const directory = join(bundle, runPath(card.suite, card.name))
  const spec = await readRunSpec(directory)
  const adapter = adapterOf(spec)
  const jury = juryOf(card)
  const metrics = spec.metricSpecs.map((helm, index) => ({
    ...defined({ code: code?.metrics[index]?.code, needs: code?.metrics[index]?.needs }),
    ...metricAt(card, index),
    helm,
  }))
  const benchmark: Benchmark = defined({
    ...card.benchmark,
    runName: spec.name,
    scenario: { spec: spec.scenarioSpec, ...(await readScenario(directory)) },
    adapter,
    metrics,
    jury,
    ...queriesOf(card, databases),
    annotators: spec.annotators,
    ownAnnotators: code?.ownAnnotators,
    groups: spec.groups,
    files: [],
    identity: () => Promise.resolve(card.benchmark.identity),
    instances: () => {
      throw new TypeError(`${spec.name} has no data: its requests come from the release`)
    },
  })
  return {
    spec: {
      name: spec.name,
      benchmark,
      adapter,
      metrics,
      groups: spec.groups,
      ...(spec.annotators === undefined ? {} : { annotators: spec.annotators }),
    },
    deployment: placeholderDeployment(card.deployment, card.model),
    judges: (card.jury?.judges ?? []).map((judge) => ({
      judge: { name: judge.name, model: judge.model, deployment: judge.deployment },
      deployment: placeholderDeployment(judge, judge.model),
    })),
  }
}

const queriesOf = ({ name, database }: RunCard, databases: Databases): Pick<Benchmark, 'queries'> => {
  if (database === undefined) return {}
  const { annotator, digest, gold } = database
  const file = databases.get(digest)
  if (file === undefined) throw new TypeError(`the database of ${name} was not looked for`)
  return {
    queries: { annotator, ...(gold === undefined ? {} : { gold }), locate: () => Promise.resolve(file) },
  }
}

const metricAt = ({ name, metrics }: RunCard, index: number): RunCard['metrics'][number] => {
  const metric = metrics[index]
  if (metric !== undefined) return metric
  throw new ProblemError({
    code: 'release/bad-record',
    message: `the record of ${name} knows ${metrics.length} metrics, its run spec more`,
    remedy: GET_AGAIN,
  })
}

const juryOf = ({ jury }: RunCard): Jury | undefined =>
  jury === null || jury.template === null
    ? undefined
    : {
        annotator: jury.annotator,
        template: jury.template,
        criteria: new Map(jury.criteria),
        scale: jury.scale,
        ...(jury.grading === undefined ? {} : { grading: jury.grading }),
        judges: jury.judges.map(({ name, model, deployment }) => ({ name, model, deployment })),
      }
