import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { numbered } from './grid-files.ts'

/** A suite as helm-run leaves it: each model on each scenario. */
export interface HelmSuite {
  readonly scenarios: number
  readonly models: number
  /** Requests of a run. */
  readonly instances: number
}

/** Metrics that HELM's basic metrics give of a generated answer; the first is the main one. */
const METRICS = [
  'exact_match',
  'quasi_exact_match',
  'prefix_exact_match',
  'quasi_prefix_exact_match',
  'num_references',
  'num_train_trials',
  'num_prompt_tokens',
  'num_completion_tokens',
  'num_output_tokens',
  'inference_runtime',
  'batch_size',
  'finish_reason_length',
  'finish_reason_stop',
  'finish_reason_unknown',
  'num_train_instances',
  'prompt_truncated',
  'max_prob',
  'logprob',
  'training_energy',
] as const

const MAIN = METRICS[0]

/** Writes the runs' five files below `<output>/runs/<suite>`. */
export const writeHelmSuite = (output: string, suite: string, size: HelmSuite): void => {
  for (const scenario of numbered('s', size.scenarios))
    for (const model of numbered('m', size.models)) writeHelmRun(output, suite, { ...size, scenario, model })
}

interface Run extends HelmSuite {
  readonly scenario: string
  readonly model: string
}

/** @param shift another one makes other answers right */
export const writeHelmRun = (output: string, suite: string, run: Run, shift = 0): void => {
  const folder = join(output, 'runs', suite, `${run.scenario}:model=bench_${run.model}`)
  mkdirSync(folder, { recursive: true })
  const skill = 0.3 + 0.5 * (Number(run.model.slice(1)) / Math.max(1, run.models - 1))
  const scores = Array.from({ length: run.instances }, (_, at) =>
    ((at + shift) * 7919) % 1000 < 1000 * skill ? 1 : 0,
  )
  const mean = scores.reduce<number>((sum, score) => sum + score, 0) / scores.length
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(value, undefined, 2))
  const spec = runSpec(run)
  write('run_spec.json', spec)
  write('scenario.json', { name: run.scenario, description: 'Made up.', tags: [], definition_path: 'x' })
  write('stats.json', [...METRICS.map((name) => statOf(name, name === MAIN ? mean : 1)), instancesStat(run)])
  write(
    'per_instance_stats.json',
    scores.map((score, at) => ({
      instance_id: `id${at}`,
      train_trial_index: 0,
      stats: METRICS.map((name) => statOf(name, name === MAIN ? score : 1)),
    })),
  )
  write('scenario_state.json', {
    adapter_spec: spec.adapter_spec,
    request_states: scores.map((score, at) => stateOf(run, at, score)),
  })
}

const statOf = (name: string, value: number): object => ({
  name: { name, split: 'test' },
  count: 1,
  sum: value,
  sum_squared: value * value,
  min: value,
  max: value,
  mean: value,
  variance: 0,
  stddev: 0,
})

const instancesStat = ({ instances }: Run): object => statOf('num_instances', instances)

const runSpec = ({ scenario, model, instances }: Run) => ({
  name: `${scenario}:model=bench_${model}`,
  scenario_spec: { class_name: `bench.${scenario}Scenario`, args: {} },
  adapter_spec: {
    method: 'generation',
    global_prefix: '',
    global_suffix: '',
    instructions: 'Answer with one letter.\n',
    input_prefix: '',
    input_suffix: '\n',
    reference_prefix: 'A. ',
    reference_suffix: '\n',
    chain_of_thought_prefix: '',
    chain_of_thought_suffix: '\n',
    output_prefix: '',
    output_suffix: '\n',
    instance_prefix: '\n',
    substitutions: [],
    max_train_instances: 0,
    max_eval_instances: instances,
    num_outputs: 1,
    num_train_trials: 1,
    num_trials: 1,
    sample_train: true,
    model_deployment: `bench/${model}`,
    model: `bench/${model}`,
    temperature: 0.5,
    max_tokens: 5,
    stop_sequences: [],
    multi_label: false,
  },
  metric_specs: [
    {
      class_name: 'helm.benchmark.metrics.basic_metrics.BasicGenerationMetric',
      args: { names: METRICS.slice(0, 4) },
    },
  ],
  data_augmenter_spec: {
    perturbation_specs: [],
    should_augment_train_instances: false,
    should_include_original_train: false,
    should_skip_unchanged_train: false,
    should_augment_eval_instances: false,
    should_include_original_eval: false,
    should_skip_unchanged_eval: false,
    seeds_per_instance: 1,
  },
  groups: [scenario],
  annotators: [],
})

const stateOf = ({ scenario, model }: Run, at: number, score: number): object => {
  const text = `Case ${at} of ${scenario}. ${'A patient comes with a complaint. '.repeat(12)}\nA. yes\nB. no\n`
  return {
    instance: {
      input: { text },
      references: [{ output: { text: 'A' }, tags: ['correct'] }],
      split: 'test',
      id: `id${at}`,
    },
    train_trial_index: 0,
    request: {
      model_deployment: `bench/${model}`,
      model: `bench/${model}`,
      embedding: false,
      prompt: `Answer with one letter.\n\n${text}`,
      temperature: 0.5,
      num_completions: 1,
      top_k_per_token: 1,
      max_tokens: 5,
      stop_sequences: [],
      echo_prompt: false,
      top_p: 1,
      presence_penalty: 0,
      frequency_penalty: 0,
    },
    result: {
      success: true,
      embedding: [],
      completions: [{ text: score === 1 ? 'A' : 'B', logprob: 0.5, tokens: [] }],
      cached: true,
      request_time: 0.25,
      request_datetime: 1_767_225_600,
    },
    num_train_instances: 0,
    prompt_truncated: false,
    num_conditioning_tokens: 0,
  }
}
