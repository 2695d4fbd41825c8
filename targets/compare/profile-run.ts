import { inputText } from '../../benchmarks/scenario/instance.ts'
import { requestText } from '../adapters/request.ts'
import { dumps } from '../../benchmarks/python/json.ts'
import { digestOf } from '../../cache/values/digest.ts'
import type { ReadState } from '../runs/read-state.ts'
import { wholeRun, type Run } from '../runs/run.ts'

/** A request of a run as one profile read it. It holds digests and numbers, no text. */
export interface ReadRequest {
  /** Of the question and its references, and of how often it came before in the same trial. */
  readonly question: string
  /** Of what the model was sent: prompt and sampling. */
  readonly request: string
  /** Of the answer as it was read; null without one. */
  readonly answer: string | null
  /** Of what judges, or queries, made of it. */
  readonly annotations: string
  /** The main metric; null where it was not measured. */
  readonly value: number | null
}

/** A built run under one profile. */
export interface ProfileReading {
  readonly suite: string
  readonly name: string
  readonly mainMetric: string
  /** Of the main metric's split, in the record's order. */
  readonly requests: readonly ReadRequest[]
}

/** @throws LostValueError when the store lost something that the record names */
export const readProfileRun = async (run: Run): Promise<ProfileReading> => {
  const { suite, name } = run
  const { mainMetric } = run.benchmark
  const { requests: read } = await wholeRun(run)
  const values = new Map<string, number>()
  for await (const { instanceId, trainTrialIndex, stats } of read.values())
    for (const { name: stat, count, sum } of stats)
      if (stat.name === mainMetric.name && stat.split === mainMetric.split && count > 0)
        values.set(placeOf(instanceId, trainTrialIndex), sum / count)
  const seen = new Map<string, number>()
  const requests: ReadRequest[] = []
  for await (const state of read.states()) {
    if (state.instance.split !== mainMetric.split) continue
    const place = placeOf(state.instance.id, state.trainTrialIndex)
    requests.push(readRequest(state, values.get(place) ?? null, seen))
  }
  return { suite, name, mainMetric: mainMetric.name, requests }
}

const placeOf = (id: string | number | undefined, trial: number): string => `${trial} ${id}`

const readRequest = (state: ReadState, value: number | null, seen: Map<string, number>): ReadRequest => {
  const { instance, request, result, annotations, trainTrialIndex } = state
  // Rows that are asked under one profile only shift the ids of the others: a question is known by its text.
  const texts = [inputText(instance), instance.references.map(({ text, tags }) => [text, [...tags]])]
  const asked = digestOf<'text'>(dumps([trainTrialIndex, ...texts]))
  const before = seen.get(asked) ?? 0
  seen.set(asked, before + 1)
  const { temperature, numCompletions, maxTokens, stopSequences, random = null } = request
  return {
    question: `${asked} ${before}`,
    request: digestOf<'text'>(
      dumps([requestText(request), temperature, numCompletions, maxTokens, stopSequences, random]),
    ),
    answer: result === undefined ? null : digestOf<'text'>(dumps(result.completions.map(({ text }) => text))),
    annotations: annotations === undefined ? '' : digestOf<'text'>(dumps(annotations)),
    value,
  }
}
